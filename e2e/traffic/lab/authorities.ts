/** The certificate authorities of meshes, and the certificates they issue to proxies. */
import {
  type CertificateAuthority,
  createRoot,
  formatSpiffeId,
  generateKey,
  issueWorkloadCertificate,
  trustDomain,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';

/** The subject of the certificate. */
export interface WorkloadIdentity {
  readonly trustDomain: string;
  readonly namespace: string;
  readonly account: string;
}

/** A proxy's key and certificates, in PEM. */
export interface WorkloadCertificate {
  readonly chain: string;
  readonly key: string;
}

/** Roots by name and trust domain, created on first use. */
export class Authorities {
  readonly #roots = new Map<string, Promise<CertificateAuthority>>();

  /** @param root its name: meshes with a shared root use the same name */
  async issue(
    root: string,
    { trustDomain: domain, namespace, account }: WorkloadIdentity,
  ): Promise<WorkloadCertificate> {
    const ca = await this.#root(root, domain);
    const key = await generateKey('workload');
    const identity = formatSpiffeId(trustDomain(domain), 'ns', namespace, 'sa', account);
    const { chainPem } = await issueWorkloadCertificate({ ca, key, identity, now: new Date() });
    return { chain: chainPem, key: writePrivateKey(key) };
  }

  /** The trust bundle of meshes with this root, in PEM, for callers of any of these trust domains. */
  async trusted(root: string, domains: readonly string[]): Promise<string> {
    const roots = await Promise.all(domains.map((domain) => this.#root(root, domain)));
    return writeCertificates(roots.map(({ certificate }) => certificate));
  }

  #root(name: string, domain: string): Promise<CertificateAuthority> {
    const id = `${name} ${domain}`;
    const known = this.#roots.get(id) ?? newRoot(name, domain);
    this.#roots.set(id, known);
    return known;
  }
}

/** One root per trust domain, because certificates below a root must have its trust domain. */
async function newRoot(name: string, domain: string): Promise<CertificateAuthority> {
  const key = await generateKey('workload');
  return createRoot({ commonName: name, trustDomain: trustDomain(domain), days: 1, now: new Date(), key });
}
