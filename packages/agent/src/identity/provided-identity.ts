/**
 * Uses a certificate from the user's own issuer as the agent's identity. The agent adopts each renewal of that issuer
 * and never renews through the relay.
 */

import type { Clock } from '@meshrelay/concurrency';
import { errorMessage } from '@meshrelay/host';
import { type KubeConnection, Secrets, watchSecret } from '@meshrelay/kube';
import { certificateBundle, PkiError, readTrustBundle } from '@meshrelay/pki';
import { ROOT_SECRET } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { ClientCertificateConfig } from '../config/client-certificate.ts';
import { CLOCK_TOLERANCE, type ClientCertificate } from './client-certificate.ts';
import { CredentialNotReady } from './credential-not-ready.ts';
import { type ProvidedSource, providedSource } from './provided-source.ts';
import type { RelayCredential, RelayIdentity } from './relay-identity.ts';
import { WatchedCredential } from './watched-credential.ts';

export interface ProvidedIdentityOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly certificate: ClientCertificateConfig;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly random: () => number;
  readonly logger: Logger;
}

export class ProvidedIdentity implements RelayIdentity {
  readonly renew = undefined;
  readonly #options: ProvidedIdentityOptions;
  readonly #secrets: Secrets;
  readonly #source: ProvidedSource;
  readonly #found: WatchedCredential<ClientCertificate>;

  constructor(options: ProvidedIdentityOptions) {
    const { connection, namespace, certificate, now } = options;
    this.#options = options;
    this.#secrets = new Secrets(connection, namespace);
    this.#source = providedSource(certificate, options);
    this.#found = new WatchedCredential({
      ...options,
      kind: 'client certificate',
      find: () => this.#find(),
      isSame: (one, other) => one.certificate === other.certificate && one.roots === other.roots,
      // Partly written or invalid files do not replace a working certificate.
      isStillValid: ({ notAfter }) => now() <= notAfter,
    });
  }

  get problem(): string | undefined {
    return this.#found.problem;
  }

  get expiry(): Date | undefined {
    return this.#found.current?.notAfter;
  }

  get replaced(): AbortSignal {
    return this.#found.replaced;
  }

  obtain(signal: AbortSignal): Promise<ClientCertificate> {
    return this.#found.obtain(signal);
  }

  /** A new certificate may exist already, without a watch event for it. */
  refused(_credential: RelayCredential): void {
    void this.#found.reconcile();
  }

  start(): AsyncDisposable {
    const { connection, namespace } = this.#options;
    const changed = (): void => void this.#found.reconcile();
    const watches = new AsyncDisposableStack();
    watches.use(this.#source.watch(changed));
    watches.use(watchSecret(connection, { namespace, name: ROOT_SECRET, changed }));
    return watches;
  }

  async #find(): Promise<ClientCertificate> {
    const { where } = this.#source;
    const { key, certificate, roots } = await this.#source.read();
    try {
      const [leaf] = certificateBundle({ 'tls.key': key, 'tls.crt': certificate }).chain;
      const { notBefore, notAfter } = leaf;
      const now = this.#options.now().getTime();
      if (now > notAfter.getTime())
        throw new CredentialNotReady(
          `${where}: the certificate expired at ${notAfter.toISOString()}; its issuer must renew it`,
        );
      if (now + CLOCK_TOLERANCE < notBefore.getTime())
        throw new CredentialNotReady(
          `${where}: the certificate is not valid before ${notBefore.toISOString()}; check the clock`,
        );
      return { key, certificate, roots: await this.#roots(roots), notBefore, notAfter };
    } catch (error) {
      if (error instanceof PkiError) throw new CredentialNotReady(`${where}: ${errorMessage(error)}`);
      throw error;
    }
  }

  /** Roots that verify the server. @throws PkiError if they cannot be read */
  async #roots(given: string): Promise<string> {
    const { namespace } = this.#options;
    const { rootsFirst, where } = this.#source;
    const registered = rootsFirst ? '' : ((await this.#secrets.read(ROOT_SECRET))?.data['ca.crt'] ?? '');
    const roots = registered === '' ? given : registered;
    if (roots === '')
      throw new CredentialNotReady(
        `no roots to verify the server with: neither Secret ${namespace}/${ROOT_SECRET} nor ${where} has a ca.crt; add one`,
      );
    readTrustBundle(roots);
    return roots;
  }
}
