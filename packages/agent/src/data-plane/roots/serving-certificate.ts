/**
 * Serving certificate of this replica for Envoys. The replica generates it under the CA that all replicas share; its
 * key is in no Secret.
 */

import { type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import { errorDetails, errorMessage } from '@meshrelay/host';
import { type KindWatch, type KubeConnection, Secrets, watchSecret } from '@meshrelay/kube';
import {
  type Certificate,
  generateKey,
  issueServerCertificate,
  readAuthority,
  renewDue,
  writePrivateKey,
} from '@meshrelay/pki';
import { DATA_PLANE_CA_SECRET } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { isAddress } from './is-address.ts';

export interface ServingCertificateOptions {
  readonly connection: KubeConnection;
  /** The agent's own namespace. */
  readonly namespace: string;
  /** DNS names and IP addresses that Envoys dial. */
  readonly names: readonly string[];
  readonly clock: Clock;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Lifetime in days. The replica replaces it at half of that; existing connections are not affected. */
const DAYS = 7;
/** Interval of checks in milliseconds: after a failure, and otherwise. */
const AGAIN = 5_000;
const RESYNC_INTERVAL_MS = 60_000;

interface Serving {
  readonly cert: string;
  readonly key: string;
  readonly of: Certificate;
  /** The CA that signed it. */
  readonly authority: string;
}

/** Runs from construction until it is disposed. */
export class ServingCertificate implements AsyncDisposable {
  readonly #options: ServingCertificateOptions;
  readonly #watch: KindWatch;
  readonly #reconcileLoop: ReconcileLoop;
  #serving: Serving | undefined;
  /** Last logged reason for a missing certificate. */
  #lastReason = '';

  constructor(options: ServingCertificateOptions) {
    this.#options = options;
    const { connection, namespace, clock } = options;
    this.#watch = watchSecret(connection, {
      namespace,
      name: DATA_PLANE_CA_SECRET,
      changed: () => this.#reconcileLoop.trigger(),
    });
    this.#reconcileLoop = new ReconcileLoop(clock, (signal) => this.#check(signal));
  }

  /** PEM; undefined until a leader has created the CA. */
  get current(): { readonly cert: string; readonly key: string } | undefined {
    return this.#serving;
  }

  /** Expiry of the certificate. */
  get expiry(): Date | undefined {
    return this.#serving?.of.notAfter;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#reconcileLoop[Symbol.asyncDispose](), this.#watch[Symbol.asyncDispose]()]);
  }

  async #check(signal: AbortSignal): Promise<number> {
    try {
      await this.#reconcile();
      this.#lastReason = '';
      return RESYNC_INTERVAL_MS;
    } catch (error) {
      const reason = errorMessage(error);
      if (!signal.aborted && reason !== this.#lastReason)
        this.#options.logger.warn('no certificate for Envoys yet', { ...errorDetails(error) });
      this.#lastReason = reason;
      return AGAIN;
    }
  }

  async #reconcile(): Promise<void> {
    const { connection, namespace, names, now } = this.#options;
    const { data } = (await new Secrets(connection, namespace).read(DATA_PLANE_CA_SECRET)) ?? {};
    const { 'tls.crt': authority, 'tls.key': keyPem } = data ?? {};
    // The leader creates the CA; the watch reports it then.
    if (authority === undefined || keyPem === undefined) return;
    const before = this.#serving;
    if (before?.authority === authority && !renewDue(before.of, now())) return;
    const key = await generateKey('relay-server');
    const issued = await issueServerCertificate({
      ca: readAuthority({ certificatePem: authority, keyPem }),
      key,
      commonName: 'Meshrelay agent',
      dnsNames: names.filter((name) => !isAddress(name)),
      ipAddresses: names.filter(isAddress),
      days: DAYS,
      now: now(),
    });
    if (!issued.ok) throw new Error(issued.message);
    this.#serving = { cert: issued.chainPem, key: writePrivateKey(key), of: issued.certificate, authority };
  }
}
