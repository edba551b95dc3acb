/** Tokens of clusters: made, listed, revoked. The management cluster keeps their hashes, and nobody the tokens. */
import { type KubeConnection, type SecretData, Secrets } from '@meshrelay/kube';
import {
  createToken,
  type DeclareOptions,
  readTokenBook,
  TOKENS_SECRET,
  type Token,
  type TokenRecord,
  withTokenBook,
} from '@meshrelay/pki';
import { InputError } from '../problem.ts';
import { requestNotes } from './requester.ts';

/** Where the tokens are. */
export interface TokenPlace {
  readonly management: KubeConnection;
  readonly namespace: string;
  readonly now: () => Date;
}

export interface NewToken extends TokenPlace, DeclareOptions {
  readonly cluster: string;
  /** Milliseconds it is good for. */
  readonly lifetime: number;
}

/** A day: a token that lies about for longer is a token that gets lost. Milliseconds. */
const LONGEST = 24 * 3_600_000;
/** A token that is an identity itself lives as long as certificates of servers do. */
const MAX_LONG_LIVED = 365 * LONGEST;
/** Characters of a hash that name a token among the others. */
const ID_LENGTH = 12;
const MAX_ID_LENGTH = 64;

/** @throws InputError for a token that would be good for too long, or not at all */
export function checkTokenLifetime(lifetime: number, longLived = false): void {
  const longest = longLived ? MAX_LONG_LIVED : LONGEST;
  if (lifetime <= 0 || lifetime > longest)
    throw new InputError(
      `such a token is good for at most ${longest / 3_600_000}h, and for more than nothing; give another duration`,
    );
}

/**
 * Makes a token for a cluster. Those that were to register it before are revoked: the last one is good. A standing token leaves the others standing, so
 * that it can take their place without a gap. @throws InputError, KubeError
 */
export async function declareToken({
  cluster,
  lifetime,
  replace,
  standing: longLived,
  ...place
}: NewToken): Promise<Token> {
  checkTokenLifetime(lifetime, longLived);
  const { management, namespace, now } = place;
  const token = createToken();
  const expiresAt = new Date(now().getTime() + lifetime);
  const annotations = await requestNotes(management);
  const declare = (before: SecretData): SecretData => {
    const isSpent = (record: TokenRecord): boolean =>
      longLived !== true && record.standing !== true && record.cluster === cluster;
    const book = readTokenBook(before).forget(now()).revokeWhere(isSpent, now());
    const options = {
      ...(replace === undefined ? {} : { replace }),
      ...(longLived === undefined ? {} : { longLived }),
    };
    return withTokenBook(before, book.declare(token, cluster, expiresAt, options));
  };
  await new Secrets(management, namespace).update(TOKENS_SECRET, declare, { annotations });
  return token;
}

/** A token as it is shown. */
export interface TokenLine {
  /** What names it in commands; it tells nothing of the token. */
  readonly id: string;
  readonly cluster: string;
  readonly state: 'open' | 'used' | 'expired' | 'revoked';
  /** `register` buys one certificate; `standing` is the identity itself. */
  readonly kind: 'register' | 'standing';
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** The tokens of all clusters, or of one. @throws KubeError */
export async function listTokens({ management, namespace, now }: TokenPlace, cluster?: string): Promise<TokenLine[]> {
  const stored = await new Secrets(management, namespace).read(TOKENS_SECRET);
  return readTokenBook(stored?.data ?? {})
    .records.filter((record) => cluster === undefined || record.cluster === cluster)
    .map((record) => ({
      id: record.hash.slice(0, ID_LENGTH),
      cluster: record.cluster,
      kind: record.standing === true ? ('standing' as const) : ('register' as const),
      state: tokenState(record, now()),
      expiresAt: record.expiresAt,
    }));
}

/** Revokes one token by its id, or all of a cluster. @returns how many were good until now @throws InputError where there is none */
export async function revokeTokens({ management, namespace, now }: TokenPlace, name: string): Promise<number> {
  let count = 0;
  const revoke = (before: SecretData): SecretData => {
    const book = readTokenBook(before);
    const named = (record: TokenRecord): boolean =>
      record.cluster === name || (isId(name) && record.hash.startsWith(name));
    const meant = book.records.filter(named);
    if (meant.length === 0)
      throw new InputError(`there is no token "${name}"; give a cluster, or an id that meshctl token list shows`);
    count = meant.filter((record) => tokenState(record, now()) === 'open').length;
    const hashes = new Set(meant.map(({ hash }) => hash));
    return withTokenBook(
      before,
      book.revokeWhere(({ hash }) => hashes.has(hash), now()),
    );
  };
  const annotations = await requestNotes(management);
  await new Secrets(management, namespace).update(TOKENS_SECRET, revoke, { annotations });
  return count;
}

function isId(text: string): boolean {
  return text.length >= ID_LENGTH && text.length <= MAX_ID_LENGTH && /^[0-9a-f]+$/.test(text);
}

/** How a token stands. */
export function tokenState({ revokedAt, usedAt, expiresAt }: TokenRecord, now: Date): TokenLine['state'] {
  if (revokedAt !== undefined) return 'revoked';
  if (usedAt !== undefined) return 'used';
  return Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'open';
}
