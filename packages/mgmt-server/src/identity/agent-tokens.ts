/** Tokens that are an agent's identity: sent with every call, valid until they expire or are revoked. */
import type { KubeConnection } from '@meshrelay/kube';
import { readTokenBook, TOKENS_SECRET, Token, type TokenRegistry, type TokenRejection } from '@meshrelay/pki';
import { RelayError, type TokenIdentity } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { notRegistered } from './agent-peers.ts';
import { WatchedSecret } from './watched-secret.ts';

export interface AgentTokensOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  /** @throws RelayError RELAY_E_UNAVAILABLE while the registrations are not synced */
  readonly isRegistered: (cluster: string) => Promise<boolean>;
  readonly now: () => Date;
  readonly logger: Logger;
}

const REJECTIONS: Readonly<Record<TokenRejection, string>> = {
  unknown: 'the token is not known; create one with meshctl token create --long-lived',
  expired: 'the token has expired; create another with meshctl token create --long-lived',
  used: 'the token was used before; create another with meshctl token create --long-lived',
  'wrong-cluster':
    'the token was created for another cluster; set relay.cluster to that, or create a token for this one with meshctl token create --long-lived',
  revoked: 'the token was revoked; create another with meshctl token create --long-lived',
  'wrong-use':
    'the token is for registration and is not an identity; create one with meshctl token create --long-lived',
};

export class AgentTokens implements AsyncDisposable {
  readonly #options: AgentTokensOptions;
  readonly #book: WatchedSecret<TokenRegistry>;

  constructor(options: AgentTokensOptions) {
    this.#options = options;
    this.#book = new WatchedSecret({
      ...options,
      name: TOKENS_SECRET,
      read: (data = {}) => readTokenBook(data),
      unknown: 'the tokens are not known yet',
    });
  }

  /** Used by the authentication of every call. @throws RelayError RELAY_E_UNAVAILABLE */
  async identify(text: string, cluster: string): Promise<TokenIdentity> {
    const { isRegistered, now } = this.#options;
    const token = Token.read(text);
    if (token === undefined)
      return { refused: 'the credential is not a token; create one with meshctl token create --long-lived' };
    const result = (await this.#book.present()).identify(token, cluster, now());
    if (result !== 'ok') return { refused: REJECTIONS[result] };
    if (!(await isRegistered(cluster))) return { refused: notRegistered(cluster) };
    return { id: token.hash };
  }

  /** Why the token of an open stream is no longer valid; undefined while it is valid. */
  problem(id: string, cluster: string): RelayError | undefined {
    const result = this.#book.value?.verifyLongLived(id, cluster, this.#options.now()) ?? 'ok';
    return result === 'ok' ? undefined : new RelayError('RELAY_E_UNAUTHENTICATED', REJECTIONS[result]);
  }

  /** Calls back when tokens have changed. @returns a function that unsubscribes */
  listen(listener: () => void): () => void {
    return this.#book.listen(listener);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#book[Symbol.asyncDispose]();
  }
}
