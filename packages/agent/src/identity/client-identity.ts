/** From a token to a client certificate, and on from the one that is there: the agent's bootstrap. */
import { Backoff, type Clock, isKubeError, type KubeConnection, Secrets, type StoredSecret } from '@meshrelay/kube';
import {
  agentIdentity,
  trustDomain as asTrustDomain,
  CLIENT_SECRET,
  createCsr,
  generateKey,
  ROOT_SECRET,
  readPrivateKey,
  renewDue,
  type SpiffeId,
  TOKEN_SECRET,
  Token,
  writePrivateKey,
} from '@meshrelay/pki';
import { connectRelay } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { type ClientCertificate, judgeClientSecret } from './client-certificate.ts';

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
}

/** What stands in the way of a certificate, said without any secret. Not a fault: registration may still be under way. */
class Waiting extends Error {
  override readonly name = 'Waiting';
}

/** Pauses between looks for what is missing, in milliseconds. */
const PAUSES = { first: 500, longest: 5_000 };

/** The one identity of this cluster's agent. */
export class ClientIdentity {
  readonly #options: ClientIdentityOptions;
  readonly #secrets: Secrets;
  readonly #identity: SpiffeId;
  #certificate: ClientCertificate | undefined;
  #problem = 'no certificate was looked for yet';
  #looking: Promise<ClientCertificate | undefined> | undefined;
  #wake = new AbortController();

  constructor(options: ClientIdentityOptions) {
    this.#options = options;
    this.#secrets = new Secrets(options.connection, options.namespace);
    this.#identity = agentIdentity(asTrustDomain(options.relay.trustDomain), options.relay.cluster);
  }

  /** The certificate in use; undefined before there was one. */
  get certificate(): ClientCertificate | undefined {
    return this.#certificate;
  }

  /** Why there is no certificate; undefined when there is one. */
  get problem(): string | undefined {
    return this.#certificate === undefined ? this.#problem : undefined;
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
      this.#wake = new AbortController();
      await clock.sleep(pauses.next(), AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  /** Something that may help has appeared: looks at once. Calls that overlap share one look. */
  refresh(): Promise<ClientCertificate | undefined> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      this.#wake.abort();
    });
    return this.#looking;
  }

  async #look(): Promise<ClientCertificate | undefined> {
    try {
      this.#certificate = await this.#findOrRegister();
    } catch (error) {
      // An API server that does not answer takes nothing away from a certificate that is good.
      if (isKubeError(error, 'RELAY_E_KUBE_UNAVAILABLE') && this.#isGood()) return this.#certificate;
      this.#certificate = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#problem) this.#options.logger.warn('no client certificate yet', { reason });
      this.#problem = reason;
    }
    return this.#certificate;
  }

  async #findOrRegister(): Promise<ClientCertificate> {
    const roots = await this.#roots();
    const stored = await this.#secrets.read(CLIENT_SECRET);
    const found = this.#judge(stored, roots);
    if (found.ok) {
      await this.#discardToken();
      this.#tellAge(found.certificate);
      return found.certificate;
    }
    const token = await this.#token(stored === undefined ? undefined : found.reason);
    const pending = await this.#pendingRequest(stored);
    const issued = await this.#register(roots, token, pending.data['tls.csr'] ?? '');
    const data = {
      'tls.key': pending.data['tls.key'] ?? '',
      'tls.crt': issued.certificatePem,
      'ca.crt': issued.rootsPem || roots,
    };
    const accepted = judgeClientSecret(data, roots, this.#identity, this.#options.now());
    if (!accepted.ok) throw new Waiting(`the server issued a certificate that cannot be used: ${accepted.reason}`);
    await this.#secrets.replace(pending, data);
    const { notAfter } = accepted.certificate;
    this.#options.logger.info('client certificate stored', {
      object: `Secret ${CLIENT_SECRET}`,
      identity: this.#identity,
      notAfter,
    });
    await this.#discardToken();
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

  #tellAge(certificate: ClientCertificate): void {
    if (!renewDue(certificate, this.#options.now())) return;
    const { notAfter } = certificate;
    this.#options.logger.warn(
      'the client certificate is past half of its life; register the cluster again before it ends',
      { notAfter },
    );
  }

  async #roots(): Promise<string> {
    const roots = (await this.#secrets.read(ROOT_SECRET))?.data['ca.crt'];
    if (roots !== undefined && roots !== '') return roots;
    throw new Waiting(
      `Secret ${this.#options.namespace}/${ROOT_SECRET} with the server's roots in ca.crt is not there; register the cluster (meshctl cluster register)`,
    );
  }

  #judge(stored: StoredSecret | undefined, roots: string): ReturnType<typeof judgeClientSecret> {
    if (stored?.data['tls.crt'] === undefined) return { ok: false, reason: 'there is none' };
    return judgeClientSecret(stored.data, roots, this.#identity, this.#options.now());
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

  /**
   * The key and request to register with, stored before anything is sent: after a crash the same request is sent
   * again, which the server takes for a repetition and not for a second use of the token.
   */
  async #pendingRequest(stored: StoredSecret | undefined): Promise<StoredSecret> {
    if (stored?.data['tls.crt'] === undefined && isRequest(stored)) return stored;
    const key = await generateKey('agent');
    const csr = await createCsr({ key, uri: this.#identity });
    const data = { 'tls.key': writePrivateKey(key), 'tls.csr': csr };
    return stored === undefined
      ? await this.#secrets.create(CLIENT_SECRET, data)
      : await this.#secrets.replace(stored, data);
  }

  async #register(
    roots: string,
    token: Token,
    csrPem: string,
  ): Promise<{ readonly certificatePem: string; readonly rootsPem: string }> {
    const { relay, program } = this.#options;
    const { serverAddress: address, authority, cluster } = relay;
    using connection = connectRelay({ address, roots, cluster, ...(authority === undefined ? {} : { authority }) });
    return await connection.register({ token: token.reveal(), csrPem, program });
  }
}

function isRequest(stored: StoredSecret | undefined): stored is StoredSecret {
  const { 'tls.key': key, 'tls.csr': csr } = stored?.data ?? {};
  if (key === undefined || csr === undefined) return false;
  try {
    readPrivateKey(key);
    return true;
  } catch {
    // Whatever it is, a new key takes its place.
    return false;
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
