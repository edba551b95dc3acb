/** Intermediate CAs, one per mesh of a cluster: they sign leaves and no further CA. */
import type { Certificate } from '../certificate/certificate.ts';
import { PkiError } from '../pki-error.ts';
import { type CsrCheckResult, readCsr } from '../request/read-csr.ts';
import { formatSpiffeId, type TrustDomain } from '../spiffe/spiffe-id.ts';
import { type CertificateAuthority, refuseUnlessValid } from './authority.ts';
import { buildCertificate } from './build-certificate.ts';
import { ORGANIZATION } from './create-root.ts';
import { type Issued, issued, validity } from './issued.ts';

/** Content of the new CA certificate. Its key stays with the requester. */
export interface IntermediateOptions {
  readonly ca: CertificateAuthority;
  readonly csrPem: string;
  readonly commonName: string;
  readonly trustDomain: TrustDomain;
  /** Whether it may sign only URIs of `trustDomain` (a critical name constraint). */
  readonly constrained: boolean;
  readonly days: number;
  /** Organization in its subject; default: {@link ORGANIZATION}. */
  readonly organization?: string;
  readonly now: Date;
}

/** An issued certificate, or why its request was rejected. */
export type IssueResult = ({ readonly ok: true } & Issued) | Extract<CsrCheckResult, { ok: false }>;

/**
 * Signs a CA with path length 0 for the key in a request.
 * @throws RELAY_E_PKI_AUTHORITY when `ca` may not sign CAs or is not valid; RELAY_E_PKI_REQUEST for a lifetime out of
 *   range
 */
export async function createIntermediate(options: IntermediateOptions): Promise<IssueResult> {
  const { ca, trustDomain } = options;
  refuseUnlessValid(ca, options.now);
  refuseUnlessSignsCas(ca.certificate);
  const csr = readCsr(options.csrPem);
  if (!csr.ok) return csr;
  const certificate = await buildCertificate(
    {
      subject: { organization: options.organization ?? ORGANIZATION, commonName: options.commonName },
      publicKey: csr.publicKey,
      ...validity(options.now, options.days, ca.certificate),
      names: { uri: formatSpiffeId(trustDomain) },
      ca: { pathLength: 0, ...(options.constrained ? { permittedTrustDomain: trustDomain } : {}) },
      extendedKeyUsage: [],
    },
    ca,
  );
  return { ok: true, ...issued(certificate, ca) };
}

function refuseUnlessSignsCas({ extensions }: Certificate): void {
  if (extensions.basicConstraints?.pathLength === 0) {
    throw new PkiError(
      'RELAY_E_PKI_AUTHORITY',
      'signing certificate: its path length 0 allows no CA below it; sign with its root instead',
    );
  }
}
