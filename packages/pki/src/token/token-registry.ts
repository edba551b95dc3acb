/**
 * The valid tokens of each cluster: a pure state machine over records with hashes only.
 *
 * The caller stores the records (in a Secret) by compare-and-swap, so that a token is used once among all replicas.
 */
import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { malformed, PkiError } from '../pki-error.ts';
import { isClusterName } from '../spiffe/agent-identity.ts';
import type { Token } from './token.ts';

/** One token, as stored. Times are RFC 3339 in UTC. */
export interface TokenRecord {
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  /** The only cluster that it registers. */
  readonly cluster: string;
  readonly expiresAt: string;
  readonly usedAt?: string;
  /** Hash of the request it was used for: a repetition of this request, after a lost answer, is not a second use. */
  readonly usedFor?: string;
  readonly revokedAt?: string;
  /** Whether the registration may replace a valid certificate of the cluster; set by an operator. */
  readonly replace?: true;
  /**
   * Whether it is the cluster's identity itself, presented with each call, and cannot be exchanged for a certificate.
   */
  readonly longLived?: true;
}

/** Why a token is rejected. */
export type TokenRejection = 'unknown' | 'expired' | 'used' | 'wrong-cluster' | 'revoked' | 'wrong-use';

/** Who presents a token, and for which request. */
export interface TokenUse {
  readonly token: Token;
  readonly cluster: string;
  /** Hash of the signing request (`CsrCheckResult.hash`). */
  readonly requestHash: string;
  readonly now: Date;
}

/**
 * The registry after a use, which must be stored before a certificate is issued; or the rejection, which changes
 * nothing.
 */
export type TokenCheckResult =
  | {
      readonly result: 'ok';
      readonly book: TokenRegistry /** Whether the same request was authorised before. */;
      readonly repeated: boolean;
      /** Whether it may replace a valid certificate of the cluster. */
      readonly replace: boolean;
    }
  | { readonly result: TokenRejection };

/** Additional permissions of a token. */
export interface DeclareOptions {
  /** Register a cluster that has a valid certificate. */
  readonly replace?: boolean;
  /** Be the identity itself, with every call, without an exchange for a certificate. */
  readonly longLived?: boolean;
}

/** An immutable set of records; each change returns a new registry. */
export class TokenRegistry {
  readonly #records: readonly TokenRecord[];

  /** @throws RELAY_E_PKI_MALFORMED when a record is invalid, or two have the same hash */
  constructor(records: readonly TokenRecord[] = []) {
    this.#records = records.map(checkRecord);
    if (new Set(records.map(({ hash }) => hash)).size !== records.length)
      throw malformed('token records: one token is listed twice');
  }

  /** The records, for storing. */
  get records(): readonly TokenRecord[] {
    return this.#records;
  }

  /**
   * A registry in which `token` registers `cluster` until `expiresAt`; with `replace` even if it has a valid
   * certificate.
   * @throws RELAY_E_PKI_REQUEST when `cluster` is not a valid cluster name
   */
  declare(token: Token, cluster: string, expiresAt: Date, options: DeclareOptions = {}): TokenRegistry {
    if (!isClusterName(cluster))
      throw new PkiError('RELAY_E_PKI_REQUEST', `token: ${cluster} is not the name of a cluster`);
    const record: TokenRecord = {
      hash: token.hash,
      cluster,
      expiresAt: expiresAt.toISOString(),
      ...(options.replace === true ? { replace: true } : {}),
      ...(options.longLived === true ? { longLived: true } : {}),
    };
    return new TokenRegistry([...this.#records, record]);
  }

  /** Checks a token and marks a valid one as used. */
  use({ token, cluster, requestHash, now }: TokenUse): TokenCheckResult {
    const record = this.#find(token);
    if (record === undefined) return { result: 'unknown' };
    if (record.cluster !== cluster) return { result: 'wrong-cluster' };
    if (record.revokedAt !== undefined) return { result: 'revoked' };
    if (record.longLived === true) return { result: 'wrong-use' };
    const repeated = record.usedAt !== undefined && record.usedFor === requestHash;
    if (record.usedAt !== undefined && !repeated) return { result: 'used' };
    if (now.getTime() >= Date.parse(record.expiresAt)) return { result: 'expired' };
    const used: TokenRecord = repeated ? record : { ...record, usedAt: now.toISOString(), usedFor: requestHash };
    return { result: 'ok', book: this.#replace(record, used), repeated, replace: record.replace === true };
  }

  /** Checks a token that is the identity of `cluster` itself. */
  identify(token: Token, cluster: string, now: Date): TokenRejection | 'ok' {
    const record = this.#find(token);
    if (record === undefined) return 'unknown';
    if (record.cluster !== cluster) return 'wrong-cluster';
    if (record.longLived !== true) return 'wrong-use';
    return this.verifyLongLived(record.hash, cluster, now);
  }

  /** Whether the long-lived token with this hash, presented before, is still valid. */
  verifyLongLived(hash: string, cluster: string, now: Date): TokenRejection | 'ok' {
    const record = this.#records.find((one) => one.hash === hash && one.cluster === cluster && one.longLived === true);
    if (record === undefined) return 'unknown';
    if (record.revokedAt !== undefined) return 'revoked';
    return now.getTime() >= Date.parse(record.expiresAt) ? 'expired' : 'ok';
  }

  /** A registry without valid tokens of `cluster`. */
  revoke(cluster: string, now: Date): TokenRegistry {
    return this.revokeWhere((record) => record.cluster === cluster, now);
  }

  /** A registry without valid tokens that `isMeant` selects. */
  revokeWhere(isMeant: (record: TokenRecord) => boolean, now: Date): TokenRegistry {
    const revokedAt = now.toISOString();
    return new TokenRegistry(this.#records.map((record) => (isMeant(record) ? { revokedAt, ...record } : record)));
  }

  /** A registry without the records that ended before `before`. */
  forget(before: Date): TokenRegistry {
    return new TokenRegistry(this.#records.filter((record) => Date.parse(record.expiresAt) >= before.getTime()));
  }

  /**
   * Compares with every record in constant time, so that timing reveals neither the record nor the length of the match.
   */
  #find(token: Token): TokenRecord | undefined {
    const presented = Buffer.from(token.hash, 'hex');
    let found: TokenRecord | undefined;
    for (const record of this.#records) {
      if (timingSafeEqual(Buffer.from(record.hash, 'hex'), presented)) found = record;
    }
    return found;
  }

  #replace(old: TokenRecord, next: TokenRecord): TokenRegistry {
    return new TokenRegistry(this.#records.map((record) => (record === old ? next : record)));
  }
}

function checkRecord(record: TokenRecord): TokenRecord {
  const { hash, cluster, expiresAt } = record;
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
    throw malformed('token record: hash is not a SHA-256 in hex');
  if (typeof cluster !== 'string' || !isClusterName(cluster))
    throw malformed('token record: cluster is not the name of a cluster');
  if (typeof expiresAt !== 'string' || Number.isNaN(Date.parse(expiresAt)))
    throw malformed('token record: expiresAt is not a time');
  return record;
}
