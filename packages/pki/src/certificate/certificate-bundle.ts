/** A certificate, its key and its roots, as in a Secret of type kubernetes.io/tls. */
import { Buffer } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import { publicKeyDer, readPrivateKey, writePrivateKey } from '../key/private-key.ts';
import { malformed, PkiError } from '../pki-error.ts';
import { type Certificate, readCertificates, writeCertificates } from './certificate.ts';
import { readTrustBundle, type TrustBundle, writeTrustBundle } from './trust-bundle.ts';

/** Decoded values of the Secret's keys. */
export interface CertificateSecret {
  readonly 'tls.crt': string | Uint8Array;
  readonly 'tls.key': string | Uint8Array;
  readonly 'ca.crt'?: string | Uint8Array;
}

/** The parsed content of such a Secret. */
export interface CertificateBundle {
  /** Leaf first. */
  readonly chain: readonly [Certificate, ...Certificate[]];
  readonly key: KeyObject;
  /** Undefined if the Secret has no `ca.crt`. */
  readonly roots?: TrustBundle;
}

const MAX_CHAIN = 10;

const text = (value: string | Uint8Array): string =>
  typeof value === 'string' ? value : Buffer.from(value).toString('utf8');

/**
 * Reads a Secret's decoded data and checks that key and certificate belong together.
 * @throws RELAY_E_PKI_MALFORMED when a key is missing or unreadable, RELAY_E_PKI_KEY when the key does not match
 */
export function certificateBundle(
  secret: Readonly<Record<string, string | Uint8Array | undefined>>,
): CertificateBundle {
  const [crt, key, ca] = [secret['tls.crt'], secret['tls.key'], secret['ca.crt']];
  if (crt === undefined || key === undefined) {
    throw malformed(
      `certificate Secret: key ${crt === undefined ? 'tls.crt' : 'tls.key'} is missing; expected tls.crt, tls.key and ca.crt`,
    );
  }
  const [leaf, ...others] = readCertificates(text(crt), 'tls.crt', { max: MAX_CHAIN, allowText: true });
  if (leaf === undefined) throw malformed('tls.crt: no certificate in it');
  const privateKey = readPrivateKey(text(key));
  if (!Buffer.from(publicKeyDer(privateKey)).equals(leaf.publicKey.der)) {
    throw new PkiError('RELAY_E_PKI_KEY', 'tls.key: it is not the key of the first certificate in tls.crt');
  }
  return {
    chain: [leaf, ...others],
    key: privateKey,
    ...(ca === undefined ? {} : { roots: readTrustBundle(text(ca)) }),
  };
}

/** The Secret's data for a bundle; write all keys in one update. */
export function writeCertificateSecret({ chain, key, roots }: CertificateBundle): CertificateSecret {
  return {
    'tls.crt': writeCertificates(chain),
    'tls.key': writePrivateKey(key),
    ...(roots === undefined ? {} : { 'ca.crt': writeTrustBundle(roots) }),
  };
}
