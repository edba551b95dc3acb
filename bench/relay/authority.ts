/**
 * Certificates of a measured relay: one root, one server, and agents that share a key, since key generation is not
 * measured.
 */
import {
  agentIdentity,
  createCsr,
  createRoot,
  generateKey,
  issueAgentCertificate,
  issueServerCertificate,
  trustBundle,
  trustDomain,
  verifyPeer,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import type { Identify, RelayServerTls } from '@meshrelay/relay-protocol';

const DOMAIN = trustDomain('relay.bench');

export interface Credential {
  readonly key: string;
  readonly certificate: string;
}

export interface BenchAuthority {
  readonly roots: string;
  readonly server: RelayServerTls;
  readonly identify: Identify;
  agent(cluster: string): Promise<Credential>;
}

export async function createAuthority(): Promise<BenchAuthority> {
  const now = new Date();
  const ca = await createRoot({ commonName: 'bench', trustDomain: DOMAIN, days: 10, now });
  const [serverKey, agentKey] = [await generateKey('relay-server'), await generateKey('agent')];
  const names = { dnsNames: ['relay.bench'], ipAddresses: ['127.0.0.1'] };
  const issued = await issueServerCertificate({ ca, key: serverKey, ...names, now });
  if (!issued.ok) throw new Error(issued.message);
  const roots = writeCertificates([ca.certificate]);
  const bundle = trustBundle([ca.certificate]);
  const csrPem = await createCsr({ key: agentKey });
  return {
    roots,
    server: { key: writePrivateKey(serverKey), certificate: issued.chainPem, clientRoots: roots },
    identify: (chain) => {
      const peer = verifyPeer({ chain, roots: bundle, now: new Date(), purpose: 'agent', trustDomain: DOMAIN });
      return peer.ok ? { cluster: peer.cluster ?? '' } : { refused: peer.message };
    },
    agent: async (cluster) => {
      const identity = agentIdentity(DOMAIN, cluster);
      const leaf = await issueAgentCertificate({ ca, csrPem, identity, now });
      if (!leaf.ok) throw new Error(leaf.message);
      return { key: writePrivateKey(agentKey), certificate: leaf.chainPem };
    },
  };
}
