/**
 * A token as the agent's identity: from its Secret or the environment. The agent presents it with every call and
 * replaces it when the Secret changes.
 */

import type { Clock } from '@meshrelay/concurrency';
import { type KubeConnection, Secrets, watchSecret } from '@meshrelay/kube';
import { Token } from '@meshrelay/pki';
import { ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { RelayIdentity, TokenCredential } from './relay-identity.ts';
import { Waiting } from './waiting.ts';
import { WatchedCredential } from './watched-credential.ts';

export interface TokenIdentityOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  /** Token from the environment; it takes precedence over the Secret. */
  readonly token: string | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

export class TokenIdentity implements RelayIdentity {
  readonly expiry = undefined;
  readonly renew = undefined;
  readonly #options: TokenIdentityOptions;
  readonly #secrets: Secrets;
  readonly #found: WatchedCredential<TokenCredential>;

  constructor(options: TokenIdentityOptions) {
    this.#options = options;
    this.#secrets = new Secrets(options.connection, options.namespace);
    this.#found = new WatchedCredential({
      ...options,
      what: 'token',
      find: async () => ({ token: (await this.#token()).reveal(), roots: await this.#roots() }),
      isSame: (one, other) => one.token === other.token && one.roots === other.roots,
      // A user who deletes the token wants it to stop working.
      isGoodStill: () => false,
    });
  }

  get problem(): string | undefined {
    return this.#found.problem;
  }

  get replaced(): AbortSignal {
    return this.#found.replaced;
  }

  obtain(signal: AbortSignal): Promise<TokenCredential> {
    return this.#found.obtain(signal);
  }

  /** Only another token helps, and the watch reports it. */
  refused(): void {}

  start(): AsyncDisposable {
    const { connection, namespace } = this.#options;
    const watches = new AsyncDisposableStack();
    for (const name of [TOKEN_SECRET, ROOT_SECRET])
      watches.use(watchSecret(connection, { namespace, name, changed: () => void this.#found.reconcile() }));
    return watches;
  }

  async #token(): Promise<Token> {
    const { namespace, token: given } = this.#options;
    const text = given ?? (await this.#secrets.read(TOKEN_SECRET))?.data['token'];
    const token = Token.read(text ?? '');
    if (token !== undefined) return token;
    const where =
      given === undefined ? `Secret ${namespace}/${TOKEN_SECRET}, key "token",` : 'MESHRELAY_IDENTITY_TOKEN';
    throw new Waiting(`${where} holds no token; create one: meshctl token create NAME --long-lived`);
  }

  async #roots(): Promise<string> {
    const roots = (await this.#secrets.read(ROOT_SECRET))?.data['ca.crt'] ?? '';
    if (roots !== '') return roots;
    throw new Waiting(
      `Secret ${this.#options.namespace}/${ROOT_SECRET} with the server's roots in ca.crt does not exist; copy ca.crt from the management cluster's`,
    );
  }
}
