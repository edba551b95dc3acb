/** Client certificates of agents, as the server issues them. */
import {
  agentIdentity,
  type CertificateFacts,
  certificateFacts,
  createCsr,
  createRoot,
  generateKey,
  issueAgentCertificate,
  trustDomain,
  writePrivateKey,
} from '@meshrelay/pki';

const DOMAIN = trustDomain('relay.meshrelay.local');

export interface AgentIdentity {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  /** The server's records of it. */
  readonly facts: CertificateFacts;
}

/** A certificate of the cluster's agent, valid for thirty days. */
export async function issueIdentity(cluster: string, now: Date): Promise<AgentIdentity> {
  // The CA uses the same key: creating another one for each certificate would take longer than everything else.
  const key = await generateKey('agent');
  const ca = await createRoot({ commonName: 'relay', trustDomain: DOMAIN, days: 365, now, key });
  const identity = agentIdentity(DOMAIN, cluster);
  const issued = await issueAgentCertificate({ ca, csrPem: await createCsr({ key, uri: identity }), identity, now });
  if (!issued.ok) throw new Error(issued.message);
  return {
    certificate: issued.chainPem,
    key: writePrivateKey(key),
    facts: certificateFacts(issued.certificate, ca.certificate),
  };
}
