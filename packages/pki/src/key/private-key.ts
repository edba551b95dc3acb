/** Private keys as KeyObjects, which do not print or serialise, and as PKCS#8 PEM for Secrets. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readPem } from '../pem.ts';
import { PkiError } from '../pki-error.ts';

const LIMITS = { maxLength: 16 * 1024, maxBlocks: 2 } as const;
const LABELS: ReadonlySet<string> = new Set(['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY']);

/**
 * A private key from PEM: PKCS#8, PKCS#1 or SEC1, unencrypted.
 * @throws RELAY_E_PKI_MALFORMED or RELAY_E_PKI_KEY; messages never quote the text
 */
export function readPrivateKey(pem: string): KeyObject {
  // An encrypted PKCS#1 key has header lines that are not base64, so it is detected before broken PEM.
  if (pem.length <= LIMITS.maxLength && /ENCRYPTED/.test(pem)) {
    throw new PkiError('RELAY_E_PKI_KEY', 'private key: it is encrypted; decrypt it first (openssl pkey -in FILE)');
  }
  const blocks = readPem(pem, 'private key', LIMITS).filter(({ label }) => label !== 'EC PARAMETERS');
  const [block, ...more] = blocks;
  if (block === undefined || more.length > 0) {
    throw new PkiError('RELAY_E_PKI_KEY', 'private key: expected exactly one key');
  }
  if (!LABELS.has(block.label)) throw new PkiError('RELAY_E_PKI_KEY', `private key: found PEM ${block.label} instead`);
  try {
    return createPrivateKey(pem);
  } catch {
    // The cause is omitted on purpose: the message of a library may quote its input.
    throw new PkiError('RELAY_E_PKI_KEY', 'private key: it can not be read; expected PKCS#8, PKCS#1 or SEC1 in PEM');
  }
}

/** The key as PKCS#8 PEM, only for a Secret's `tls.key`. */
export function writePrivateKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The public half of a private key as SubjectPublicKeyInfo DER. */
export function publicKeyDer(key: KeyObject): Uint8Array {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }));
}
