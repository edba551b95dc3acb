/** The stored certificate records of one cluster: hashes, serial numbers and times, no secrets. */
import { malformed } from '../pki-error.ts';

/** An issued certificate. Times are RFC 3339 in UTC. */
export interface IssuedRecord {
  /** Hex. */
  readonly serial: string;
  /** SHA-256 of its public key, hex. */
  readonly keyHash: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** SHA-256 of its issuer's public key, hex. */
  readonly issuer?: string;
}

/** A certificate that is no longer valid. */
export interface RevokedRecord extends IssuedRecord {
  readonly revokedAt: string;
}

/**
 * The last report of a cluster's agent about its trusted roots and its certificate. The rotation of the relay's CA
 * waits for it.
 */
export interface TrustRecord {
  /** Hash of its root bundle. */
  readonly bundle: string;
  /** SHA-256 of the public key of its certificate's issuer, hex; undefined where a token is its identity. */
  readonly issuer?: string;
}

/** All records of one cluster. */
export interface ClusterCertificates {
  readonly issued: readonly IssuedRecord[];
  readonly revoked: readonly RevokedRecord[];
  /** Certificates without a record that began before this time are revoked. */
  readonly revokedBefore?: string;
  /**
   * Whether certificates without a record are revoked even if they began later, since another issuer may create them at
   * any time. Lasts until the cluster is registered or readmitted.
   */
  readonly clusterRevoked?: true;
  readonly trust?: TrustRecord;
}

/** @throws RELAY_E_PKI_MALFORMED */
export function checkCertificates(records: ClusterCertificates): ClusterCertificates {
  const { issued, revoked, revokedBefore, clusterRevoked, trust } = records;
  if (!Array.isArray(issued) || !Array.isArray(revoked)) throw malformed('certificate records: a list is missing');
  for (const record of issued) checkIssued(record);
  for (const record of revoked) {
    checkIssued(record);
    if (!isTime(record.revokedAt)) throw malformed('certificate record: revokedAt is not a time');
  }
  if (revokedBefore !== undefined && !isTime(revokedBefore))
    throw malformed('certificate records: revokedBefore is not a time');
  if (clusterRevoked !== undefined && clusterRevoked !== true)
    throw malformed('certificate records: barred is not true');
  if (trust !== undefined && !(isHash(trust.bundle) && (trust.issuer === undefined || isHash(trust.issuer))))
    throw malformed('certificate records: trust has no hashes');
  return records;
}

function checkIssued({ serial, keyHash, issuedAt, expiresAt, issuer }: IssuedRecord): void {
  if (typeof serial !== 'string' || !/^([0-9a-f]{2}){1,40}$/.test(serial))
    throw malformed('certificate record: serial is not a number in hex');
  if (!isHash(keyHash) || (issuer !== undefined && !isHash(issuer)))
    throw malformed('certificate record: a hash of a key is not a SHA-256 in hex');
  if (!isTime(issuedAt) || !isTime(expiresAt)) throw malformed('certificate record: a time is not one');
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
