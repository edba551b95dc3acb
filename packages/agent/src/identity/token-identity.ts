/** A token as the agent's identity: from its Secret or the environment, presented with every call, exchanged when the Secret changes. */
import { Backoff, type Clock, type KubeConnection, Secrets, watchSecret } from '@meshrelay/kube';
import { ROOT_SECRET, TOKEN_SECRET, Token } from '@meshrelay/pki';
import type { Logger } from '@meshrelay/telemetry';
import type { RelayIdentity, TokenCredential } from './relay-identity.ts';
import { Waiting } from './waiting.ts';

export interface TokenIdentityOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  /** The token's text from the environment, which goes before the Secret. */
  readonly token: string | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Pauses between looks for what is missing, in milliseconds. */
const PAUSES = { first: 500, longest: 5_000 };

export class TokenIdentity implements RelayIdentity {
  readonly expiry = undefined;
  readonly renew = undefined;
  readonly #options: TokenIdentityOptions;
  readonly #secrets: Secrets;
  #credential: TokenCredential | undefined;
  #problem: string | undefined = 'no token was looked for yet';
  #replaced = new AbortController();
  #wake = new AbortController();

  constructor(options: TokenIdentityOptions) {
    this.#options = options;
    this.#secrets = new Secrets(options.connection, options.namespace);
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  get replaced(): AbortSignal {
    return this.#replaced.signal;
  }

  async obtain(signal: AbortSignal): Promise<TokenCredential> {
    const { clock, random } = this.#options;
    const pauses = new Backoff({ ...PAUSES, random });
    for (;;) {
      signal.throwIfAborted();
      this.#wake = new AbortController();
      const credential = await this.#look();
      if (credential !== undefined) return credential;
      await clock.sleep(pauses.next(), AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  /** Nothing but another token helps, and that is watched for. */
  refused(): void {}

  start(): AsyncDisposable {
    const { connection, namespace } = this.#options;
    const watches = new AsyncDisposableStack();
    for (const name of [TOKEN_SECRET, ROOT_SECRET])
      watches.use(watchSecret(connection, { namespace, name, changed: () => void this.#look() }));
    return watches;
  }

  async #look(): Promise<TokenCredential | undefined> {
    try {
      const credential = { token: (await this.#token()).reveal(), roots: await this.#roots() };
      const before = this.#credential;
      this.#credential = credential;
      this.#problem = undefined;
      this.#wake.abort();
      if (before !== undefined && (before.token !== credential.token || before.roots !== credential.roots)) {
        this.#replaced.abort();
        this.#replaced = new AbortController();
      }
    } catch (error) {
      // An API server that does not answer takes nothing away from a token that was there.
      if (this.#credential !== undefined && !(error instanceof Waiting)) return this.#credential;
      this.#credential = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#problem) this.#options.logger.warn('no token yet', { reason });
      this.#problem = reason;
    }
    return this.#credential;
  }

  async #token(): Promise<Token> {
    const { namespace, token: given } = this.#options;
    const text = given ?? (await this.#secrets.read(TOKEN_SECRET))?.data['token'];
    const token = Token.read(text ?? '');
    if (token !== undefined) return token;
    const where =
      given === undefined ? `Secret ${namespace}/${TOKEN_SECRET}, key "token",` : 'MESHRELAY_IDENTITY_TOKEN';
    throw new Waiting(`${where} holds no token; make one: meshctl token create NAME --standing`);
  }

  async #roots(): Promise<string> {
    const roots = (await this.#secrets.read(ROOT_SECRET))?.data['ca.crt'] ?? '';
    if (roots !== '') return roots;
    throw new Waiting(
      `Secret ${this.#options.namespace}/${ROOT_SECRET} with the server's roots in ca.crt is not there; copy ca.crt of the management cluster's`,
    );
  }
}
