/** Test certificates: one root, a server for 127.0.0.1, agents, and certificates that are almost valid for an agent. */
import {
  agentIdentity,
  type CertificateAuthority,
  createCsr,
  createRoot,
  generateKey,
  issueAgentCertificate,
  issueServerCertificate,
  type TrustBundle,
  trustBundle,
  trustDomain,
  verifyPeer,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import type { Identify } from '../../src/grpc/identity.ts';
import type { RelayServerTls } from '../../src/grpc/server-tls.ts';

const DOMAIN = trustDomain('relay.test');

export interface ClientCertificate {
  readonly key: string;
  readonly certificate: string;
}

export class Authority {
  readonly ca: CertificateAuthority;
  readonly rootsPem: string;
  readonly server: RelayServerTls;
  readonly #bundle: TrustBundle;

  private constructor(ca: CertificateAuthority, server: RelayServerTls) {
    this.ca = ca;
    this.rootsPem = writeCertificates([ca.certificate]);
    this.server = server;
    this.#bundle = trustBundle([ca.certificate]);
  }

  static async create(name = 'test relay root'): Promise<Authority> {
    const now = new Date();
    const ca = await createRoot({ commonName: name, trustDomain: DOMAIN, days: 10, now });
    const key = await generateKey('relay-server');
    const issued = await issueServerCertificate({ ca, key, dnsNames: ['relay.test'], ipAddresses: ['127.0.0.1'], now });
    if (!issued.ok) throw new Error(`server certificate: ${issued.message}`);
    return new Authority(ca, {
      key: writePrivateKey(key),
      certificate: issued.chainPem,
      clientRoots: writeCertificates([ca.certificate]),
    });
  }

  /** Checks certificates as the management server does. */
  identify: Identify = (certificatePem) => {
    const result = verifyPeer({
      chain: certificatePem,
      roots: this.#bundle,
      now: new Date(),
      purpose: 'agent',
      trustDomain: DOMAIN,
    });
    if (!result.ok) return { refused: result.message };
    return { cluster: result.cluster ?? '' };
  };

  async agent(cluster: string): Promise<ClientCertificate> {
    const key = await generateKey('agent');
    return { key: writePrivateKey(key), certificate: await this.sign(await createCsr({ key }), cluster) };
  }

  async sign(csrPem: string, cluster: string): Promise<string> {
    const issued = await issueAgentCertificate({
      ca: this.ca,
      csrPem,
      identity: agentIdentity(DOMAIN, cluster),
      now: new Date(),
    });
    if (!issued.ok) throw new Error(`agent certificate: ${issued.message}`);
    return issued.chainPem;
  }
}
