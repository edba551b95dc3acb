/** Finds the path from a presented chain to a trusted root. */
import { readCertificate, readCertificates } from '../certificate/certificate.ts';
import type { TrustBundle } from '../certificate/trust-bundle.ts';
import type { PathRules } from './check-path.ts';
import { findPath, MAX_CHAIN, type TrustedPath } from './find-path.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';

/** A chain, and the values it is verified against. */
export interface Presented {
  /** PEM, or DER certificates, leaf first. */
  readonly chain: string | readonly Uint8Array[];
  readonly roots: TrustBundle;
  readonly now: Date;
}

/** @throws RELAY_E_PKI_MALFORMED when a certificate is unreadable */
export function findTrusted(
  { chain, roots, now }: Presented,
  rules: Pick<PathRules, 'usage' | 'leafGrace'>,
): TrustedPath | VerifyFailure {
  if (typeof chain !== 'string' && chain.length > MAX_CHAIN)
    return refuse('chain-too-long', `certificate chain: ${chain.length} certificates, at most ${MAX_CHAIN} are read`);
  const certificates =
    typeof chain === 'string'
      ? readCertificates(chain, 'certificate chain', { max: MAX_CHAIN })
      : chain.map(readCertificate);
  const [leaf, ...intermediates] = certificates;
  if (leaf === undefined) return refuse('malformed', 'certificate chain: it is empty');
  return findPath(leaf, intermediates, roots.roots, { ...rules, now, maxIntermediates: MAX_CHAIN });
}
