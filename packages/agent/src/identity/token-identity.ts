/**
 * A token as the agent's identity: from its Secret or the environment. The agent presents it with every call and
 * replaces it when the Secret changes.
 */

import type { Clock } from '@meshrelay/concurrency';
import { type KubeConnection, Secrets, watchSecret } from '@meshrelay/kube';
import { Token } from '@meshrelay/pki';
import { ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { CredentialNotReady } from './credential-not-ready.ts';
import type { RelayIdentity, TokenCredential } from './relay-identity.ts';
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
  readonly #credential: WatchedCredential<TokenCredential>;

  constructor(options: TokenIdentityOptions) {
    this.#options = options;
    this.#secrets = new Secrets(options.connection, options.namespace);
    this.#credential = new WatchedCredential({
      ...options,
      kind: 'token',
      find: async () => ({ token: (await this.#token()).reveal(), roots: await this.#roots() }),
      isSame: (one, other) => one.token === other.token && one.roots === other.roots,
      // A user who deletes the token expects that it stops working.
      isStillValid: () => false,
    });
  }

  get problem(): string | undefined {
    return this.#credential.problem;
  }

  get replaced(): AbortSignal {
    return this.#credential.replaced;
  }

  obtain(signal: AbortSignal): Promise<TokenCredential> {
    return this.#credential.obtain(signal);
  }

  /** Does nothing: only a new token helps, and the watch on the Secret reports it. */
  refused(): void {}

  start(): AsyncDisposable {
    const { connection, namespace } = this.#options;
    const watches = new AsyncDisposableStack();
    for (const name of [TOKEN_SECRET, ROOT_SECRET])
      watches.use(watchSecret(connection, { namespace, name, changed: () => void this.#credential.reconcile() }));
    return watches;
  }

  async #token(): Promise<Token> {
    const { namespace, token: given } = this.#options;
    const text = given ?? (await this.#secrets.read(TOKEN_SECRET))?.data['token'];
    const token = Token.read(text ?? '');
    if (token !== undefined) return token;
    const where =
      given === undefined ? `Secret ${namespace}/${TOKEN_SECRET}, key "token",` : 'MESHRELAY_IDENTITY_TOKEN';
    throw new CredentialNotReady(`${where} holds no token; create one: meshctl token create NAME --long-lived`);
  }

  async #roots(): Promise<string> {
    const roots = (await this.#secrets.read(ROOT_SECRET))?.data['ca.crt'] ?? '';
    if (roots !== '') return roots;
    throw new CredentialNotReady(
      `Secret ${this.#options.namespace}/${ROOT_SECRET} has no ca.crt with the server's root certificates; copy ca.crt from the Secret of that name in the management cluster`,
    );
  }
}
