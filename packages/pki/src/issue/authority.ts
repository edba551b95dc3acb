/** A signing certificate with its key, checked when it is loaded and again at each issuance. */
import { Buffer } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import { type Certificate, isSelfIssued, readCertificates } from '../certificate/certificate.ts';
import { KEY_USAGE } from '../certificate/extensions.ts';
import { publicKeyDer, readPrivateKey } from '../key/private-key.ts';
import { PkiError } from '../pki-error.ts';

/** A certificate authority that signs. */
export interface CertificateAuthority {
  readonly certificate: Certificate;
  readonly key: KeyObject;
  /** Certificates between this one and the root, nearest first, without the root; peers need them to build the path. */
  readonly intermediates: readonly Certificate[];
}

/** PEM of an authority, as in its Secret. */
export interface AuthorityPem {
  /** The signing certificate, then any certificates above it. */
  readonly certificatePem: string;
  readonly keyPem: string;
}

const fault = (message: string): PkiError => new PkiError('RELAY_E_PKI_AUTHORITY', `signing certificate: ${message}`);

/**
 * Reads an authority from a Secret's contents.
 * @throws RELAY_E_PKI_MALFORMED, RELAY_E_PKI_KEY, RELAY_E_PKI_AUTHORITY
 */
export function readAuthority({ certificatePem, keyPem }: AuthorityPem): CertificateAuthority {
  const [certificate, ...above] = readCertificates(certificatePem, 'signing certificate', { max: 10, allowText: true });
  if (certificate === undefined) throw fault('none in the PEM');
  return authority(
    certificate,
    readPrivateKey(keyPem),
    above.filter((one) => !isSelfIssued(one)),
  );
}

/**
 * An authority from parsed parts.
 * @throws RELAY_E_PKI_AUTHORITY when the certificate may not sign certificates or the key does not match
 */
export function authority(
  certificate: Certificate,
  key: KeyObject,
  intermediates: readonly Certificate[],
): CertificateAuthority {
  const { basicConstraints, keyUsage } = certificate.extensions;
  if (basicConstraints?.ca !== true) throw fault('it is not a CA (basic constraints CA:TRUE is missing)');
  if (keyUsage !== undefined && !keyUsage.has(KEY_USAGE.keyCertSign)) throw fault('its key usage lacks keyCertSign');
  if (!Buffer.from(publicKeyDer(key)).equals(certificate.publicKey.der))
    throw fault('the key is not the one it certifies');
  return { certificate, key, intermediates };
}

/** The certificates that are sent after a leaf of this authority: the authority and those above it, never a root. */
export function issuingChain({ certificate, intermediates }: CertificateAuthority): readonly Certificate[] {
  return isSelfIssued(certificate) ? [] : [certificate, ...intermediates];
}

/** @throws RELAY_E_PKI_AUTHORITY when the authority is not valid at `now` */
export function refuseUnlessValid({ certificate }: CertificateAuthority, now: Date): void {
  if (now < certificate.notBefore) throw fault(`not valid before ${certificate.notBefore.toISOString()}`);
  if (now > certificate.notAfter)
    throw fault(`expired at ${certificate.notAfter.toISOString()}; replace it before issuing`);
}
