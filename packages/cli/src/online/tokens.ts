/** Tokens of clusters: created, listed, revoked. The management cluster stores their hashes only. */
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

/** The location of the tokens. */
export interface TokenPlace {
  readonly management: KubeConnection;
  readonly namespace: string;
  readonly now: () => Date;
}

export interface NewToken extends TokenPlace, DeclareOptions {
  readonly cluster: string;
  /** Lifetime in milliseconds. */
  readonly lifetime: number;
}

/** A day in milliseconds: tokens with a longer lifetime are easily lost. */
const LONGEST = 24 * 3_600_000;
/** A token that is itself an identity may live as long as server certificates. */
const MAX_LONG_LIVED = 365 * LONGEST;
/** Characters of a hash that identify a token. */
const ID_LENGTH = 12;
const MAX_ID_LENGTH = 64;

/** @throws InputError for a lifetime that is too long, or not positive */
export function checkTokenLifetime(lifetime: number, longLived = false): void {
  const longest = longLived ? MAX_LONG_LIVED : LONGEST;
  if (lifetime <= 0 || lifetime > longest)
    throw new InputError(
      `the lifetime of such a token is above 0 and at most ${longest / 3_600_000}h; give another duration`,
    );
}

/**
 * Creates a token for a cluster. It revokes earlier registration tokens: only the last one is valid. A long-lived token
 * leaves the others valid, so that it can replace them without a gap.
 * @throws InputError, KubeError
 */
export async function declareToken({ cluster, lifetime, replace, longLived, ...place }: NewToken): Promise<Token> {
  checkTokenLifetime(lifetime, longLived);
  const { management, namespace, now } = place;
  const token = createToken();
  const expiresAt = new Date(now().getTime() + lifetime);
  const annotations = await requestNotes(management);
  const declare = (before: SecretData): SecretData => {
    const isSpent = (record: TokenRecord): boolean =>
      longLived !== true && record.longLived !== true && record.cluster === cluster;
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

/** A token in the printed list. */
export interface TokenLine {
  /** Identifies it in commands, and reveals no part of the token. */
  readonly id: string;
  readonly cluster: string;
  readonly state: 'open' | 'used' | 'expired' | 'revoked';
  /** `register`: valid for one certificate; `long-lived`: is itself the identity. */
  readonly kind: 'register' | 'long-lived';
  /** RFC 3339. */
  readonly expiresAt: string;
}

/**
 * The tokens of all clusters, or of one.
 * @throws KubeError
 */
export async function listTokens({ management, namespace, now }: TokenPlace, cluster?: string): Promise<TokenLine[]> {
  const stored = await new Secrets(management, namespace).read(TOKENS_SECRET);
  return readTokenBook(stored?.data ?? {})
    .records.filter((record) => cluster === undefined || record.cluster === cluster)
    .map((record) => ({
      id: record.hash.slice(0, ID_LENGTH),
      cluster: record.cluster,
      kind: record.longLived === true ? ('long-lived' as const) : ('register' as const),
      state: tokenState(record, now()),
      expiresAt: record.expiresAt,
    }));
}

/**
 * Revokes one token by its id, or all of a cluster.
 * @returns the number of tokens that were valid until now
 * @throws InputError if it finds none
 */
export async function revokeTokens({ management, namespace, now }: TokenPlace, name: string): Promise<number> {
  let count = 0;
  const revoke = (before: SecretData): SecretData => {
    const book = readTokenBook(before);
    const named = (record: TokenRecord): boolean =>
      record.cluster === name || (isId(name) && record.hash.startsWith(name));
    const meant = book.records.filter(named);
    if (meant.length === 0)
      throw new InputError(`no token "${name}"; give a cluster, or an id that meshctl token list shows`);
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

/** The state of a token. */
export function tokenState({ revokedAt, usedAt, expiresAt }: TokenRecord, now: Date): TokenLine['state'] {
  if (revokedAt !== undefined) return 'revoked';
  if (usedAt !== undefined) return 'used';
  return Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'open';
}
