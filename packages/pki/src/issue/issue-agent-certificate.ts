/** Client certificates of agents: the requester supplies the key, the template every other field. */
import { OID } from '../asn1/oids.ts';
import { PkiError } from '../pki-error.ts';
import { readCsr } from '../request/read-csr.ts';
import { readAgentIdentity } from '../spiffe/agent-identity.ts';
import type { SpiffeId } from '../spiffe/spiffe-id.ts';
import { type CertificateAuthority, refuseUnlessValid } from './authority.ts';
import { buildCertificate } from './build-certificate.ts';
import type { IssueResult } from './create-intermediate.ts';
import { ORGANIZATION } from './create-root.ts';
import { issued, validity } from './issued.ts';

/** Certificate options. `identity` comes from the token or the old certificate, never from the request. */
export interface AgentCertificateOptions {
  readonly ca: CertificateAuthority;
  readonly csrPem: string;
  readonly identity: SpiffeId;
  /** Lifetime; 30 if omitted. */
  readonly days?: number;
  readonly now: Date;
}

/**
 * Signs an agent's certificate: CA:FALSE, digitalSignature, clientAuth, one URI name, a random serial number.
 * @throws RELAY_E_PKI_AUTHORITY when `ca` is not valid at `now`, RELAY_E_PKI_REQUEST when `identity` is not an agent's
 */
export async function issueAgentCertificate(options: AgentCertificateOptions): Promise<IssueResult> {
  const { ca, identity, now } = options;
  refuseUnlessValid(ca, now);
  if (readAgentIdentity(identity) === undefined) {
    throw new PkiError(
      'RELAY_E_PKI_REQUEST',
      `agent certificate: ${identity} is not an agent's identity (spiffe://TRUST-DOMAIN/cluster/NAME/agent)`,
    );
  }
  const csr = readCsr(options.csrPem);
  if (!csr.ok) return csr;
  const certificate = await buildCertificate(
    {
      subject: { organization: ORGANIZATION, commonName: 'agent' },
      publicKey: csr.publicKey,
      ...validity(now, options.days ?? 30, ca.certificate),
      names: { uri: identity },
      extendedKeyUsage: [OID.clientAuth],
    },
    ca,
  );
  return { ok: true, ...issued(certificate, ca) };
}
