/** An issuer of client certificates that is independent of the relay. */
import {
  agentIdentity,
  type CertificateAuthority,
  createCsr,
  createIntermediate,
  createRoot,
  generateKey,
  issueAgentCertificate,
  type TrustDomain,
  trustDomain,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import type { AgentIdentity } from './scripted-agent.ts';

const DOMAIN = 'corp.example';
const DAY = 86_400_000;

export class OtherIssuer {
  readonly ca: CertificateAuthority;
  /** CA certificate that the management cluster trusts. */
  readonly pem: string;
  readonly #domain: TrustDomain;

  private constructor(ca: CertificateAuthority, domain: TrustDomain) {
    this.ca = ca;
    this.#domain = domain;
    this.pem = writeCertificates([ca.certificate]);
  }

  static async create(commonName = 'corp root', domain = DOMAIN): Promise<OtherIssuer> {
    const now = new Date(Date.now() - 10 * DAY);
    const name = trustDomain(domain);
    return new OtherIssuer(await createRoot({ commonName, trustDomain: name, days: 100, now }), name);
  }

  /** An intermediate CA below this one. */
  async below(): Promise<OtherIssuer> {
    const key = await generateKey('agent');
    const issued = await createIntermediate({
      ca: this.ca,
      csrPem: await createCsr({ key }),
      commonName: 'corp clients',
      trustDomain: this.#domain,
      constrained: false,
      days: 50,
      now: new Date(Date.now() - DAY),
    });
    if (!issued.ok) throw new Error(issued.message);
    return new OtherIssuer({ certificate: issued.certificate, key, intermediates: [] }, this.#domain);
  }

  /** A client certificate with this name. */
  async certificate(name: string, now: Date = new Date()): Promise<AgentIdentity> {
    const key = await generateKey('agent');
    const identity = agentIdentity(this.#domain, name);
    const issued = await issueAgentCertificate({
      ca: this.ca,
      csrPem: await createCsr({ key }),
      identity,
      days: 1,
      now,
    });
    if (!issued.ok) throw new Error(issued.message);
    return { key: writePrivateKey(key), certificate: issued.chainPem };
  }
}

/** The name in a certificate of `certificate(name)`. */
export function nameOf(name: string): string {
  return `spiffe://${DOMAIN}/cluster/${name}/agent`;
}
