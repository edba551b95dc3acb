/**
 * Which certificates the clusters' agents were given and which of them are revoked: a pure state machine over public facts.
 *
 * Whoever keeps the records (a Secret) writes them back by compare-and-swap, so that one state holds among replicas and outlives them.
 */
import { malformed } from '../pki-error.ts';
import { RENEWAL_GRACE_DAYS } from '../renewal/renewal.ts';
import { isClusterName } from '../spiffe/agent-identity.ts';
import { type ClusterCertificates, checkCertificates, type IssuedRecord, type RevokedRecord } from './book-record.ts';

/** What tells one certificate from all others; `certificateFacts` reads it out of one. */
export interface CertificateFacts {
  /** Hex. */
  readonly serial: string;
  /** SHA-256 of the public key (SubjectPublicKeyInfo), hex. */
  readonly keyHash: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SHA-256 of the certificate's issuer's public key, hex, where that is known. */
  readonly issuer?: string;
}

/** How certificates of one cluster are judged. */
export type CertificateCheckResult = 'good' | 'revoked';

/** So many certificates of one cluster may be valid at once: a renewal that loops is refused long before it fills the Secret. */
export const MAX_LIVE_CERTIFICATES = 32;
const DAY = 86_400_000;
const NOTHING: ClusterCertificates = { issued: [], revoked: [] };

/** An immutable set of records by cluster; each change gives a new book. */
export class CertificateRegistry {
  readonly #clusters: ReadonlyMap<string, ClusterCertificates>;

  /** @throws RELAY_E_PKI_MALFORMED when a record is not one */
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

  /** What is known of a cluster; nothing where it was never registered. */
  of(cluster: string): ClusterCertificates {
    return this.#clusters.get(cluster) ?? NOTHING;
  }

  /** Whether the cluster ever had a certificate since its records were made. */
  wasRegistered(cluster: string): boolean {
    const { issued, revoked, revokedBefore } = this.of(cluster);
    return issued.length > 0 || revoked.length > 0 || revokedBefore !== undefined;
  }

  /** Certificates of the cluster that are neither revoked nor at their end. */
  live(cluster: string, now: Date): readonly IssuedRecord[] {
    return this.of(cluster).issued.filter(({ expiresAt }) => Date.parse(expiresAt) > now.getTime());
  }

  /** Judges a certificate of `cluster`. One that stands in no record was issued before there were any, or by another issuer. */
  verify(cluster: string, { serial, keyHash, notBefore }: CertificateFacts): CertificateCheckResult {
    const { issued, revoked, revokedBefore, clusterRevoked = false } = this.of(cluster);
    if (revoked.some((record) => record.serial === serial || record.keyHash === keyHash)) return 'revoked';
    if (issued.some((record) => record.keyHash === keyHash)) return 'good';
    if (clusterRevoked) return 'revoked';
    if (revokedBefore === undefined) return 'good';
    return notBefore.getTime() < Date.parse(revokedBefore) ? 'revoked' : 'good';
  }

  /** Whether a key was revoked, in whichever cluster: no certificate is made for it again. */
  isKeyRevoked(keyHash: string): boolean {
    return [...this.#clusters.values()].some(({ revoked }) => revoked.some((record) => record.keyHash === keyHash));
  }

  /** A book in which this certificate was given to `cluster`. Of several for one key, given on a request that came again, the last is kept. */
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
   * A book in which nothing that `cluster` was given before is good any more, whether it stands in a record or not; nor what another issuer gives it from
   * now on, until it is registered or readmitted.
   */
  revoke(cluster: string, now: Date): CertificateRegistry {
    const ended = this.#end(cluster, now);
    return ended.#with(cluster, { ...ended.of(cluster), clusterRevoked: true });
  }

  /** Whether the cluster was revoked and neither registered nor readmitted since. */
  isClusterRevoked(cluster: string): boolean {
    return this.of(cluster).clusterRevoked === true;
  }

  /** A book in which certificates are good again that another issuer made since the cluster was revoked. The same book where that is so. */
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

  /** A book in which only the given certificate of `cluster` is good: a registration takes the place of all before it. */
  supersede(cluster: string, by: CertificateFacts, now: Date): CertificateRegistry {
    // The same request again, after a lost answer, has the same key.
    const others = this.of(cluster).issued.filter(({ keyHash }) => keyHash !== by.keyHash);
    return this.#with(cluster, { ...this.of(cluster), issued: others })
      .#end(cluster, now)
      .#admit(cluster)
      .issue(cluster, by, now);
  }

  /** A book in which `cluster` has this bundle of roots, and a certificate under this issuer. The same book where that is known. */
  acknowledge(cluster: string, bundle: string, issuer: string | undefined): CertificateRegistry {
    const { trust } = this.of(cluster);
    if (trust?.bundle === bundle && trust.issuer === issuer) return this;
    return this.#with(cluster, { ...this.of(cluster), trust: { bundle, ...(issuer === undefined ? {} : { issuer }) } });
  }

  /** A book without what can matter to nobody: what ended, with the days in which it could still have been renewed. */
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

/** Records of certificates that ended say no more than the newest of them does. */
function newest(records: readonly IssuedRecord[]): readonly IssuedRecord[] {
  return records.slice(-2 * MAX_LIVE_CERTIFICATES);
}
