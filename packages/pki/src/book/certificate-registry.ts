/**
 * Issued and revoked certificates of the clusters' agents: a pure state machine over public facts.
 *
 * The caller stores the records (in a Secret) by compare-and-swap, so that all replicas share one lasting state.
 */
import { malformed } from '../pki-error.ts';
import { RENEWAL_GRACE_DAYS } from '../renewal/renewal.ts';
import { isClusterName } from '../spiffe/agent-identity.ts';
import { type ClusterCertificates, checkCertificates, type IssuedRecord, type RevokedRecord } from './book-record.ts';

/** Identifies a certificate; `certificateFacts` extracts it. */
export interface CertificateFacts {
  /** Hex. */
  readonly serial: string;
  /** SHA-256 of the public key (SubjectPublicKeyInfo), hex. */
  readonly keyHash: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SHA-256 of the public key of the certificate's issuer, hex, if known. */
  readonly issuer?: string;
}

/** Result of checking a certificate of a cluster. */
export type CertificateCheckResult = 'good' | 'revoked';

/** Maximum number of valid certificates of one cluster: a renewal loop is stopped long before it fills the Secret. */
export const MAX_LIVE_CERTIFICATES = 32;
const DAY = 86_400_000;
const NOTHING: ClusterCertificates = { issued: [], revoked: [] };

/** An immutable set of records by cluster; each change returns a new registry. */
export class CertificateRegistry {
  readonly #clusters: ReadonlyMap<string, ClusterCertificates>;

  /** @throws RELAY_E_PKI_MALFORMED when a record is invalid */
  constructor(clusters: Iterable<readonly [string, ClusterCertificates]> = []) {
    this.#clusters = new Map(
      [...clusters].map(([cluster, records]) => {
        if (!isClusterName(cluster)) throw malformed('certificate records: a name is not that of a cluster');
        return [cluster, checkCertificates(records)];
      }),
    );
  }

  /** The records, for storing. */
  get clusters(): ReadonlyMap<string, ClusterCertificates> {
    return this.#clusters;
  }

  /** The records of a cluster; empty if it was never registered. */
  of(cluster: string): ClusterCertificates {
    return this.#clusters.get(cluster) ?? NOTHING;
  }

  /** Whether the cluster ever had a certificate since its records exist. */
  wasRegistered(cluster: string): boolean {
    const { issued, revoked, revokedBefore } = this.of(cluster);
    return issued.length > 0 || revoked.length > 0 || revokedBefore !== undefined;
  }

  /** Certificates of the cluster that are neither revoked nor expired. */
  live(cluster: string, now: Date): readonly IssuedRecord[] {
    return this.of(cluster).issued.filter(({ expiresAt }) => Date.parse(expiresAt) > now.getTime());
  }

  /** Checks a certificate of `cluster`. One without a record predates the records or has another issuer. */
  verify(cluster: string, { serial, keyHash, notBefore }: CertificateFacts): CertificateCheckResult {
    const { issued, revoked, revokedBefore, clusterRevoked = false } = this.of(cluster);
    if (revoked.some((record) => record.serial === serial || record.keyHash === keyHash)) return 'revoked';
    if (issued.some((record) => record.keyHash === keyHash)) return 'good';
    if (clusterRevoked) return 'revoked';
    if (revokedBefore === undefined) return 'good';
    return notBefore.getTime() < Date.parse(revokedBefore) ? 'revoked' : 'good';
  }

  /** Whether a key was revoked in any cluster: no certificate is issued for it again. */
  isKeyRevoked(keyHash: string): boolean {
    return [...this.#clusters.values()].some(({ revoked }) => revoked.some((record) => record.keyHash === keyHash));
  }

  /**
   * A registry in which this certificate was issued to `cluster`. If several were issued for one key, by repeated
   * requests, the last one is stored.
   */
  issue(cluster: string, { serial, keyHash, notAfter, issuer }: CertificateFacts, now: Date): CertificateRegistry {
    const before = this.of(cluster);
    const record: IssuedRecord = {
      serial,
      keyHash,
      issuedAt: now.toISOString(),
      expiresAt: notAfter.toISOString(),
      ...(issuer === undefined ? {} : { issuer }),
    };
    const others = before.issued.filter((one) => one.keyHash !== keyHash);
    return this.#with(cluster, { ...before, issued: [...others, record] });
  }

  /**
   * A registry in which all earlier certificates of `cluster` are invalid, with or without a record. Certificates from
   * another issuer stay invalid until the cluster is registered or readmitted.
   */
  revoke(cluster: string, now: Date): CertificateRegistry {
    const ended = this.#end(cluster, now);
    return ended.#with(cluster, { ...ended.of(cluster), clusterRevoked: true });
  }

  /** Whether the cluster was revoked and neither registered nor readmitted since. */
  isClusterRevoked(cluster: string): boolean {
    return this.of(cluster).clusterRevoked === true;
  }

  /**
   * A registry that accepts certificates that another issuer created since the cluster was revoked. The same registry
   * if it already does.
   */
  readmit(cluster: string): CertificateRegistry {
    return this.isClusterRevoked(cluster) ? this.#admit(cluster) : this;
  }

  #admit(cluster: string): CertificateRegistry {
    const { clusterRevoked: _, ...records } = this.of(cluster);
    return this.#with(cluster, records);
  }

  #end(cluster: string, now: Date): CertificateRegistry {
    const before = this.of(cluster);
    const revoked = before.issued.map((record) => revocation(record, now));
    return this.#with(cluster, {
      ...before,
      issued: [],
      revoked: [...before.revoked, ...revoked],
      revokedBefore: now.toISOString(),
    });
  }

  /** A registry in which only the given certificate of `cluster` is valid: a registration replaces all earlier ones. */
  supersede(cluster: string, by: CertificateFacts, now: Date): CertificateRegistry {
    // A repeated request, after a lost answer, has the same key.
    const others = this.of(cluster).issued.filter(({ keyHash }) => keyHash !== by.keyHash);
    return this.#with(cluster, { ...this.of(cluster), issued: others })
      .#end(cluster, now)
      .#admit(cluster)
      .issue(cluster, by, now);
  }

  /**
   * A registry in which `cluster` has this root bundle, and a certificate from this issuer. The same registry if this
   * is already recorded.
   */
  acknowledge(cluster: string, bundle: string, issuer: string | undefined): CertificateRegistry {
    const { trust } = this.of(cluster);
    if (trust?.bundle === bundle && trust.issuer === issuer) return this;
    return this.#with(cluster, { ...this.of(cluster), trust: { bundle, ...(issuer === undefined ? {} : { issuer }) } });
  }

  /**
   * A registry without irrelevant records: certificates that expired, after the days in which they could still be
   * renewed.
   */
  forget(now: Date): CertificateRegistry {
    const matters = ({ expiresAt }: IssuedRecord): boolean =>
      Date.parse(expiresAt) + RENEWAL_GRACE_DAYS * DAY > now.getTime();
    return new CertificateRegistry(
      [...this.#clusters].map(([cluster, records]) => [
        cluster,
        { ...records, issued: newest(records.issued.filter(matters)), revoked: records.revoked.filter(matters) },
      ]),
    );
  }

  #with(cluster: string, records: ClusterCertificates): CertificateRegistry {
    return new CertificateRegistry(new Map([...this.#clusters, [cluster, records]]));
  }
}

function revocation(record: IssuedRecord, now: Date): RevokedRecord {
  return { ...record, revokedAt: now.toISOString() };
}

/** Of the records of expired certificates, only the newest one matters. */
function newest(records: readonly IssuedRecord[]): readonly IssuedRecord[] {
  return records.slice(-2 * MAX_LIVE_CERTIFICATES);
}
