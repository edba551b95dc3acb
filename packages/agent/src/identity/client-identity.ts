/**
 * Client identity: obtains the first certificate with a token and renews it from then on, as long as the cluster is
 * registered.
 */

import type { KeyObject } from 'node:crypto';
import { Backoff, type Clock } from '@meshrelay/concurrency';
import { errorDetails, errorMessage } from '@meshrelay/host';
import { isKubeError, type KubeConnection, Secrets, type StoredSecret, watchSecret } from '@meshrelay/kube';
import { agentIdentity, trustDomain as asTrustDomain, generateKey, type SpiffeId, Token } from '@meshrelay/pki';
import { CLIENT_SECRET, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import {
  connectRelay,
  isRejection,
  type RelayConnection,
  type RelayConnectionOptions,
  RelayError,
} from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { type ClientCertificate, checkClientSecret } from './client-certificate.ts';
import { ClientSecret, clientData, type PendingRequest, type Received } from './client-secret.ts';
import { CredentialNotReady } from './credential-not-ready.ts';
import type { RelayCredential, RelayIdentity } from './relay-identity.ts';
import { RenewalLoop } from './renewal-loop.ts';
import { type DialRelay, registerByToken, renewByConnection, renewByProof } from './request-certificate.ts';

export interface ClientIdentityOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly relay: {
    readonly serverAddress: string;
    readonly authority?: string | undefined;
    readonly cluster: string;
    readonly trustDomain: string;
  };
  /** Name and version, for the server's log. */
  readonly program: string;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly random: () => number;
  readonly logger: Logger;
  /** Replaces the relay and key generation in tests. */
  readonly connect?: (options: RelayConnectionOptions) => Pick<RelayConnection, 'register' | 'renew' | 'close'>;
  readonly makeKey?: () => Promise<KeyObject>;
}

/** Pauses between checks for missing parts, in milliseconds. */
const PAUSES = { first: 500, longest: 5_000 };

/** The single identity of this cluster's agent. */
export class ClientIdentity implements RelayIdentity {
  readonly #options: ClientIdentityOptions;
  readonly #secrets: Secrets;
  readonly #client: ClientSecret;
  readonly #identity: SpiffeId;
  #certificate: ClientCertificate | undefined;
  #problem = 'the agent has not read its certificate yet';
  #looking: Promise<ClientCertificate | undefined> | undefined;
  /** Aborts when a certificate is found, for callers that wait for one. */
  #found = new AbortController();
  /** The certificate that the server rejected. */
  #refused: string | undefined;
  #replaced = new AbortController();

  constructor(options: ClientIdentityOptions) {
    this.#options = options;
    this.#secrets = new Secrets(options.connection, options.namespace);
    this.#identity = agentIdentity(asTrustDomain(options.relay.trustDomain), options.relay.cluster);
    const { makeKey = () => generateKey('agent') } = options;
    this.#client = new ClientSecret(this.#secrets, this.#identity, makeKey);
  }

  /** The certificate in use; undefined before the first. */
  get certificate(): ClientCertificate | undefined {
    return this.#certificate;
  }

  get expiry(): Date | undefined {
    return this.#certificate?.notAfter;
  }

  /** Why no certificate is available; undefined if one is. */
  get problem(): string | undefined {
    return this.#certificate === undefined ? this.#problem : undefined;
  }

  /** Aborts when another certificate replaces the one in use. */
  get replaced(): AbortSignal {
    return this.#replaced.signal;
  }

  /**
   * Resolves with a currently valid certificate. Registers for one if none exists, and waits as long as necessary.
   * @throws the signal's reason when it aborts
   */
  async obtain(signal: AbortSignal): Promise<ClientCertificate> {
    const { clock, random } = this.#options;
    const pauses = new Backoff({ ...PAUSES, random });
    for (;;) {
      signal.throwIfAborted();
      // A running check may last as long as a request without a response; a stopping caller does not wait for it.
      const certificate = await unlessAborted(signal, this.refresh());
      if (certificate !== undefined) return certificate;
      await clock.sleep(pauses.next(), AbortSignal.any([signal, this.#found.signal]));
    }
  }

  /** Checks at once, because something that may help has appeared. Overlapping calls share one check. */
  refresh(): Promise<ClientCertificate | undefined> {
    this.#looking ??= this.#reconcile().finally(() => {
      this.#looking = undefined;
      // If a check without result woke them, two waiting callers would wake each other forever.
      if (this.#certificate === undefined) return;
      this.#found.abort();
      this.#found = new AbortController();
    });
    return this.#looking;
  }

  /**
   * Called when the server rejects the certificate in use although it looks valid here: it was revoked, or its cluster
   * is not declared. From now on, an existing or new token is used to register again.
   */
  refused(credential: RelayCredential): void {
    if ('token' in credential || this.#refused === credential.certificate) return;
    this.#refused = credential.certificate;
    void this.refresh();
  }

  start(): AsyncDisposable {
    const { connection, namespace } = this.#options;
    const work = new AsyncDisposableStack();
    // A change of any of them may provide the missing part.
    for (const name of [TOKEN_SECRET, CLIENT_SECRET, ROOT_SECRET])
      work.use(watchSecret(connection, { namespace, name, changed: () => void this.refresh() }));
    work.use(new RenewalLoop({ ...this.#options, identity: this }));
    return work;
  }

  /**
   * Replaces the certificate in use, which stays in use until then. @throws RelayError, KubeError, CredentialNotReady
   */
  readonly renew = async (): Promise<void> => {
    // A check that started earlier would restore the old certificate.
    while (this.#looking !== undefined) await this.#looking;
    const work = this.#renew();
    this.#looking = work
      .catch(() => this.#certificate)
      .finally(() => {
        this.#looking = undefined;
      });
    await work;
  };

  async #reconcile(): Promise<ClientCertificate | undefined> {
    try {
      this.#use(await this.#find());
    } catch (error) {
      // An unavailable API server does not invalidate a valid certificate.
      if (isKubeError(error, 'RELAY_E_KUBE_UNAVAILABLE') && this.#isGood()) return this.#certificate;
      this.#certificate = undefined;
      const problem = errorMessage(error);
      if (problem !== this.#problem) this.#options.logger.warn('no client certificate yet', { ...errorDetails(error) });
      this.#problem = problem;
    }
    return this.#certificate;
  }

  #use(certificate: ClientCertificate): ClientCertificate {
    const before = this.#certificate;
    this.#certificate = certificate;
    if (before !== undefined && before.certificate !== certificate.certificate) {
      this.#replaced.abort();
      this.#replaced = new AbortController();
    }
    return certificate;
  }

  /** Returns the existing certificate; otherwise renews it or registers for one. */
  async #find(): Promise<ClientCertificate> {
    const roots = await this.#roots();
    const stored = await this.#client.read();
    const found =
      stored?.data['tls.crt'] === undefined
        ? { ok: false as const, reason: undefined }
        : checkClientSecret(stored.data, roots, this.#identity, this.#options.now());
    if (found.ok) return this.#registerAgain(stored, found.certificate, roots);
    let { reason } = found;
    if (stored !== undefined && 'expired' in found && found.expired !== undefined) {
      const renewed = await this.#renewExpired(stored, found.expired);
      if (typeof renewed !== 'string') return renewed;
      reason = `${reason}, and is not renewed: ${renewed}`;
    }
    return this.#register(stored, roots, reason);
  }

  async #renew(): Promise<ClientCertificate> {
    const roots = await this.#roots();
    const found = await this.#client.read();
    const present = this.#certificate;
    if (found === undefined || present === undefined)
      throw new CredentialNotReady('there is no certificate to renew yet; the agent requests one first');
    const { stored, request } = await this.#client.request(found);
    const received = await renewByConnection((certificate) => this.#dial(roots, certificate), present, request);
    return this.#use(await this.#accept(stored, request, received, roots));
  }

  /** @returns the certificate, or why the server issues none */
  async #renewExpired(found: StoredSecret, expired: ClientCertificate): Promise<ClientCertificate | string> {
    const { roots } = expired;
    const { stored, request } = await this.#client.request(found);
    try {
      const received = await renewByProof((certificate) => this.#dial(roots, certificate), expired, request);
      return await this.#accept(stored, request, received, roots);
    } catch (error) {
      if (isRejection(error)) return error.message;
      throw error;
    }
  }

  /**
   * Registers again with an existing token. A certificate that looks valid here may just have been revoked, so the
   * server decides whether the token is needed. Until the token yields a new certificate, the existing one stays in
   * use.
   */
  async #registerAgain(
    stored: StoredSecret | undefined,
    present: ClientCertificate,
    roots: string,
  ): Promise<ClientCertificate> {
    if ((await this.#secrets.read(TOKEN_SECRET)) === undefined) return present;
    try {
      return await this.#register(stored, roots, 'the server rejects it');
    } catch (error) {
      if (!(error instanceof CredentialNotReady || error instanceof RelayError)) throw error;
      if (this.#isNeedless(error, present)) await this.#discardToken();
      else
        this.#options.logger.warn('the server issues no further certificate for the token', { ...errorDetails(error) });
      return present;
    }
  }

  /**
   * Whether a token rejected in this way is unnecessary, because no server has rejected the existing certificate. The
   * server considers the certificate valid, or will never accept the token.
   */
  #isNeedless(error: CredentialNotReady | RelayError, { certificate }: ClientCertificate): boolean {
    if (certificate === this.#refused || error instanceof CredentialNotReady) return false;
    return isRejection(error) && error.code !== 'RELAY_E_CLUSTER_NOT_DECLARED';
  }

  /** @param unusable why the existing certificate cannot be used */
  async #register(
    found: StoredSecret | undefined,
    roots: string,
    unusable: string | undefined,
  ): Promise<ClientCertificate> {
    const token = await this.#token(unusable);
    const { stored, request } = await this.#client.request(found);
    const received = await registerByToken((certificate) => this.#dial(roots, certificate), request, {
      token: token.reveal(),
      program: this.#options.program,
    });
    const certificate = await this.#accept(stored, request, received, roots);
    await this.#discardToken();
    return certificate;
  }

  /** Stores the server's response only if it matches the request. */
  async #accept(
    stored: StoredSecret,
    request: PendingRequest,
    received: Received,
    roots: string,
  ): Promise<ClientCertificate> {
    const { now, logger } = this.#options;
    const data = clientData(request, received, roots);
    const accepted = checkClientSecret(data, roots, this.#identity, now());
    if (!accepted.ok)
      throw new CredentialNotReady(
        `the server issued a certificate that cannot be used: ${accepted.reason}; check that ca.crt in Secret ${ROOT_SECRET} is the root of the server and that relay.cluster names this cluster`,
      );
    await this.#client.store(stored, data);
    const { notAfter } = accepted.certificate;
    const object = `Secret ${CLIENT_SECRET}`;
    logger.info('client certificate stored', { object, identity: this.#identity, notAfter });
    return accepted.certificate;
  }

  /** A token serves only to obtain a certificate. Next to a valid certificate, it is only a risk. */
  async #discardToken(): Promise<void> {
    const token = await this.#secrets.read(TOKEN_SECRET);
    if (token === undefined) return;
    await this.#secrets.delete(token);
    this.#options.logger.info('bootstrap token removed', { object: `Secret ${TOKEN_SECRET}` });
  }

  #isGood(): boolean {
    return this.#certificate !== undefined && this.#options.now() < this.#certificate.notAfter;
  }

  async #roots(): Promise<string> {
    const roots = (await this.#secrets.read(ROOT_SECRET))?.data['ca.crt'];
    if (roots !== undefined && roots !== '') return roots;
    throw new CredentialNotReady(
      `Secret ${this.#options.namespace}/${ROOT_SECRET} with the server's roots in ca.crt does not exist; register the cluster (meshctl cluster register)`,
    );
  }

  async #token(unusable: string | undefined): Promise<Token> {
    const { namespace, relay } = this.#options;
    const where = `Secret ${namespace}/${TOKEN_SECRET}`;
    const why = unusable === undefined ? '' : `the client certificate cannot be used (${unusable}), and `;
    const stored = await this.#secrets.read(TOKEN_SECRET);
    if (stored === undefined) {
      throw new CredentialNotReady(
        `${why}${where} with a token does not exist; create one: meshctl cluster register ${relay.cluster}`,
      );
    }
    const token = Token.read(stored.data['token'] ?? '');
    if (token === undefined) throw new CredentialNotReady(`${why}${where} has no key "token"; create another one`);
    return token;
  }

  #dial(roots: string, certificate?: ClientCertificate): ReturnType<DialRelay> {
    const { connect = connectRelay, relay } = this.#options;
    const { serverAddress: address, authority, cluster } = relay;
    return connect({
      address,
      roots,
      cluster,
      ...(authority === undefined ? {} : { authority }),
      ...(certificate === undefined ? {} : { clientCertificate: certificate }),
    });
  }
}

/**
 * Resolves with the result of the work. Rejects with the signal's reason as soon as it aborts; the work then continues
 * in the background.
 */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
