/** The certificate authorities of meshes, and what they issue to proxies. */
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

/** Whose certificate it is. */
export interface WorkloadIdentity {
  readonly trustDomain: string;
  readonly namespace: string;
  readonly account: string;
}

/** What a proxy proves its identity with, in PEM. */
export interface WorkloadCertificate {
  readonly chain: string;
  readonly key: string;
}

/** Roots by name and trust domain, made when first asked for. */
export class Authorities {
  readonly #roots = new Map<string, Promise<CertificateAuthority>>();

  /** @param root its name: those who share a root name it alike */
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

  /** What those trust who have this root, in PEM, for callers of any of these trust domains. */
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

/** One for each trust domain, as what is certified below it has to be of its own. */
async function newRoot(name: string, domain: string): Promise<CertificateAuthority> {
  const key = await generateKey('workload');
  return createRoot({ commonName: name, trustDomain: trustDomain(domain), days: 1, now: new Date(), key });
}
