/** The roots that a verifier trusts. During a rotation of the root there are two or more. */
import { hash } from 'node:crypto';
import { type Certificate, readCertificates, writeCertificates } from './certificate.ts';

/** Roots, parsed once and used for many verifications. */
export interface TrustBundle {
  readonly roots: readonly Certificate[];
  /** SHA-256 over the sorted fingerprints of the roots: equal bundles have equal hashes in any order. */
  readonly hash: string;
}

const MAX_ROOTS = 32;

/**
 * The distinct roots of a PEM file; text around the blocks is allowed, as in files of system roots.
 * @throws RELAY_E_PKI_MALFORMED
 */
export function readTrustBundle(pem: string): TrustBundle {
  return trustBundle(readCertificates(pem, 'trust bundle', { max: MAX_ROOTS, allowText: true }));
}

/** A bundle of these roots, without duplicates. */
export function trustBundle(certificates: readonly Certificate[]): TrustBundle {
  const roots = [...new Map(certificates.map((root) => [root.fingerprint, root])).values()];
  const fingerprints = roots.map((root) => root.fingerprint).sort();
  return { roots, hash: hash('sha256', fingerprints.join(''), 'hex') };
}

/** The bundle as PEM (`ca.crt`). */
export function writeTrustBundle(bundle: TrustBundle): string {
  return writeCertificates(bundle.roots);
}
