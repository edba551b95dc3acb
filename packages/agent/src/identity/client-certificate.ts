/** The agent's certificate as a Secret holds it, judged before it is used. */
import type { SecretData } from '@meshrelay/kube';
import {
  acceptIssued,
  certificateBundle,
  PkiError,
  readTrustBundle,
  type SpiffeId,
  type VerifiedPeer,
} from '@meshrelay/pki';

/** What a relay connection is made with. */
export interface ClientCertificate {
  /** PEM, PKCS#8. */
  readonly key: string;
  /** PEM, leaf first. */
  readonly certificate: string;
  /** PEM of the roots that vouch for the server. */
  readonly roots: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** A certificate, or why what is there is none that can be used. */
export type CertificateVerdict =
  | { readonly ok: true; readonly certificate: ClientCertificate }
  | { readonly ok: false; readonly reason: string };

/** Judges the Secret's data: key and certificate belong together, it names exactly this agent, the roots vouch for it now. */
export function judgeClientSecret(data: SecretData, roots: string, identity: SpiffeId, now: Date): CertificateVerdict {
  const { 'tls.key': key = '', 'tls.crt': chain = '' } = data;
  try {
    const bundle = certificateBundle({ 'tls.key': key, 'tls.crt': chain });
    const verdict = acceptIssued({ chainPem: chain, roots: readTrustBundle(roots), key: bundle.key, identity, now });
    if (!verdict.ok) return { ok: false, reason: verdict.message };
    return { ok: true, certificate: { key, certificate: chain, roots, ...lifetime(verdict) } };
  } catch (error) {
    if (error instanceof PkiError) return { ok: false, reason: error.message };
    throw error;
  }
}

function lifetime({
  certificate: { notBefore, notAfter },
}: VerifiedPeer): Pick<ClientCertificate, 'notBefore' | 'notAfter'> {
  return { notBefore, notAfter };
}
