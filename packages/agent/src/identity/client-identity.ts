/** From a token to a client certificate, and on from the one that is there, for as long as the cluster is registered. */

import type { KeyObject } from 'node:crypto';
import { errorDetails, errorMessage } from '@meshrelay/host';
import {
  Backoff,
  type Clock,
  isKubeError,
  type KubeConnection,
  Secrets,
  type StoredSecret,
  watchSecret,
} from '@meshrelay/kube';
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
import type { RelayCredential, RelayIdentity } from './relay-identity.ts';
import { RenewalLoop } from './renewal-loop.ts';
import { type DialRelay, registerByToken, renewByConnection, renewByProof } from './request-certificate.ts';
import { Waiting } from './waiting.ts';

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
  /** Instead of the relay and of new keys, for tests. */
  readonly connect?: (options: RelayConnectionOptions) => Pick<RelayConnection, 'register' | 'renew' | 'close'>;
  readonly makeKey?: () => Promise<KeyObject>;
}

/** Pauses between looks for what is missing, in milliseconds. */
const PAUSES = { first: 500, longest: 5_000 };

/** The one identity of this cluster's agent. */
export class ClientIdentity implements RelayIdentity {
  readonly #options: ClientIdentityOptions;
  readonly #secrets: Secrets;
  readonly #client: ClientSecret;
  readonly #identity: SpiffeId;
  #certificate: ClientCertificate | undefined;
  #problem = 'no certificate was looked for yet';
  #looking: Promise<ClientCertificate | undefined> | undefined;
  /** Aborts when a certificate was found, for those who wait for one. */
  #found = new AbortController();
  /** The certificate with which the server refused us. */
  #refused: string | undefined;
  #replaced = new AbortController();

  constructor(options: ClientIdentityOptions) {
    this.#options = options;
    this.#secrets = new Secrets(options.connection, options.namespace);
    this.#identity = agentIdentity(asTrustDomain(options.relay.trustDomain), options.relay.cluster);
    const { makeKey = () => generateKey('agent') } = options;
    this.#client = new ClientSecret(this.#secrets, this.#identity, makeKey);
  }

  /** The certificate in use; undefined before there was one. */
  get certificate(): ClientCertificate | undefined {
    return this.#certificate;
  }

  get expiry(): Date | undefined {
    return this.#certificate?.notAfter;
  }

  /** Why there is no certificate; undefined when there is one. */
  get problem(): string | undefined {
    return this.#certificate === undefined ? this.#problem : undefined;
  }

  /** Aborts when the certificate in use is replaced by another. */
  get replaced(): AbortSignal {
    return this.#replaced.signal;
  }

  /**
   * Resolves with a certificate that is good now, registering for one when there is none; waits as long as it takes.
   * @throws the signal's reason when it aborts
   */
  async obtain(signal: AbortSignal): Promise<ClientCertificate> {
    const { clock, random } = this.#options;
    const pauses = new Backoff({ ...PAUSES, random });
    for (;;) {
      signal.throwIfAborted();
      // A look under way may last as long as a request that gets no answer; nobody who stops waits for it.
      const certificate = await unlessAborted(signal, this.refresh());
      if (certificate !== undefined) return certificate;
      await clock.sleep(pauses.next(), AbortSignal.any([signal, this.#found.signal]));
    }
  }

  /** Something that may help has appeared: looks at once. Calls that overlap share one look. */
  refresh(): Promise<ClientCertificate | undefined> {
    this.#looking ??= this.#reconcile().finally(() => {
      this.#looking = undefined;
      // Were they woken by a look in vain, two who wait would wake each other without end.
      if (this.#certificate === undefined) return;
      this.#found.abort();
      this.#found = new AbortController();
    });
    return this.#looking;
  }

  /**
   * The server refuses the certificate in use, though it looks good from here: it was revoked, or its cluster is not declared. A token that is there, or
   * comes, buys another from now on.
   */
  refused(credential: RelayCredential): void {
    if ('token' in credential || this.#refused === credential.certificate) return;
    this.#refused = credential.certificate;
    void this.refresh();
  }

  start(): AsyncDisposable {
    const { connection, namespace } = this.#options;
    const work = new AsyncDisposableStack();
    // A change of any of them may be what is waited for.
    for (const name of [TOKEN_SECRET, CLIENT_SECRET, ROOT_SECRET])
      work.use(watchSecret(connection, { namespace, name, changed: () => void this.refresh() }));
    work.use(new RenewalLoop({ ...this.#options, identity: this }));
    return work;
  }

  /** Puts another certificate in the place of the one in use, which stays in use until then. @throws RelayError, KubeError, Waiting */
  readonly renew = async (): Promise<void> => {
    // A look that began before would put the old one back.
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
      // An API server that does not answer takes nothing away from a certificate that is good.
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

  /** The certificate that is there; else one that is renewed, or registered for. */
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
      throw new Waiting('there is no certificate to renew yet; one is looked for first');
    const { stored, request } = await this.#client.request(found);
    const received = await renewByConnection((certificate) => this.#dial(roots, certificate), present, request);
    return this.#use(await this.#accept(stored, request, received, roots));
  }

  /** @returns the certificate, or why the server gives none */
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
   * Where there is a token. What looks good from here may have been revoked a moment ago, so it is for the server to say whether the token is needed; until
   * it has bought something, the certificate that is there is used.
   */
  async #registerAgain(
    stored: StoredSecret | undefined,
    present: ClientCertificate,
    roots: string,
  ): Promise<ClientCertificate> {
    if ((await this.#secrets.read(TOKEN_SECRET)) === undefined) return present;
    try {
      return await this.#register(stored, roots, 'the server refuses it');
    } catch (error) {
      if (!(error instanceof Waiting || error instanceof RelayError)) throw error;
      if (this.#isNeedless(error, present)) await this.#discardToken();
      else this.#options.logger.warn('the token does not buy another certificate', { ...errorDetails(error) });
      return present;
    }
  }

  /**
   * Whether a token that was refused like this is of no use beside a certificate that nobody has refused: the server calls that good, or has no use
   * for the token now or later.
   */
  #isNeedless(error: Waiting | RelayError, { certificate }: ClientCertificate): boolean {
    if (certificate === this.#refused || error instanceof Waiting) return false;
    return isRejection(error) && error.code !== 'RELAY_E_UNDECLARED';
  }

  /** @param unusable why the certificate that is there cannot be used */
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

  /** What the server gave is stored where it is what was asked for, and only there. */
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
      throw new Waiting(
        `the server issued a certificate that cannot be used: ${accepted.reason}; see that ca.crt in Secret ${ROOT_SECRET} is the server's root and relay.cluster this cluster`,
      );
    await this.#client.store(stored, data);
    const { notAfter } = accepted.certificate;
    const object = `Secret ${CLIENT_SECRET}`;
    logger.info('client certificate stored', { object, identity: this.#identity, notAfter });
    return accepted.certificate;
  }

  /** A token is good for getting a certificate and for nothing else: with a good certificate it only waits to be stolen. */
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
    throw new Waiting(
      `Secret ${this.#options.namespace}/${ROOT_SECRET} with the server's roots in ca.crt is not there; register the cluster (meshctl cluster register)`,
    );
  }

  async #token(unusable: string | undefined): Promise<Token> {
    const { namespace, relay } = this.#options;
    const where = `Secret ${namespace}/${TOKEN_SECRET}`;
    const why = unusable === undefined ? '' : `the client certificate cannot be used (${unusable}), and `;
    const stored = await this.#secrets.read(TOKEN_SECRET);
    if (stored === undefined) {
      throw new Waiting(
        `${why}${where} with a token is not there; make one: meshctl cluster register ${relay.cluster}`,
      );
    }
    const token = Token.read(stored.data['token'] ?? '');
    if (token === undefined) throw new Waiting(`${why}${where} has no token under its key "token"; make another`);
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

/** The work's result, or the signal's reason as soon as it aborts; the work goes on by itself then. */
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
