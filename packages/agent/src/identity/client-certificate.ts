/** The agent's certificate as a Secret stores it, verified before it is used. */
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

/** Credentials of a relay connection. */
export interface ClientCertificate {
  /** PEM, PKCS#8. */
  readonly key: string;
  /** PEM, leaf first. */
  readonly certificate: string;
  /** PEM of the roots that verify the server. */
  readonly roots: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * Tolerance for a slow clock of this machine, in milliseconds, in addition to the five minutes by which certificates
 * are backdated.
 */
export const CLOCK_TOLERANCE: number = 5 * 60_000;

/** A certificate, or the reason why the stored one is unusable. With `expired`, proof of its key can still renew it. */
export type CertificateCheckResult =
  | { readonly ok: true; readonly certificate: ClientCertificate }
  | { readonly ok: false; readonly reason: string; readonly expired?: ClientCertificate };

/**
 * Verifies the data of the Secret: key and certificate match, the certificate names exactly this agent, and it
 * currently chains to the roots.
 */
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
    // To a slow clock, a new certificate seems not yet valid.
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
