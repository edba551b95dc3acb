/** The agent's certificate as a Secret holds it, judged before it is used. */
import type { SecretData } from '@meshrelay/kube';
import {
  type AcceptOptions,
  acceptIssued,
  certificateBundle,
  PkiError,
  RENEWAL_GRACE_DAYS,
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

/** How far this machine's clock may be behind beyond the five minutes that certificates begin early, in milliseconds. */
export const CLOCK_TOLERANCE: number = 5 * 60_000;

/** A certificate, or why what is there is none that can be used; `expired` where it can still be renewed by proof of its key. */
export type CertificateCheckResult =
  | { readonly ok: true; readonly certificate: ClientCertificate }
  | { readonly ok: false; readonly reason: string; readonly expired?: ClientCertificate };

/** Judges the Secret's data: key and certificate belong together, it names exactly this agent, the roots vouch for it now. */
export function checkClientSecret(
  data: SecretData,
  roots: string,
  identity: SpiffeId,
  now: Date,
): CertificateCheckResult {
  const { 'tls.key': key = '', 'tls.crt': chain = '' } = data;
  try {
    const bundle = certificateBundle({ 'tls.key': key, 'tls.crt': chain });
    const options: AcceptOptions = {
      chainPem: chain,
      roots: readTrustBundle(roots),
      key: bundle.key,
      identity,
      now,
    };
    // A clock that is behind takes a new certificate for one of the future.
    const timely = acceptIssued(options);
    const early = !timely.ok && timely.reason === 'not-yet-valid';
    const result = early ? acceptIssued({ ...options, now: new Date(now.getTime() + CLOCK_TOLERANCE) }) : timely;
    const usable = (peer: VerifiedPeer): ClientCertificate => ({ key, certificate: chain, roots, ...lifetime(peer) });
    if (result.ok) return { ok: true, certificate: usable(result) };
    const late = result.reason === 'expired' ? acceptIssued({ ...options, graceDays: RENEWAL_GRACE_DAYS }) : result;
    return { ok: false, reason: result.message, ...(late.ok ? { expired: usable(late) } : {}) };
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
