/**
 * Reads only the public key of a signing request.
 *
 * Subject, names, extensions and attributes are parsed only as DER: they cannot reach a certificate.
 */
import { hash } from 'node:crypto';
import { DerFields } from '../asn1/der-fields.ts';
import { readDer } from '../asn1/der-node.ts';
import { readOctetAlignedBits, readSmallInteger, TAG } from '../asn1/der-values.ts';
import { keyWeakness, type PublicKey, readPublicKey } from '../key/public-key.ts';
import { verifySignature } from '../key/signature.ts';
import { readPemDer } from '../pem.ts';
import { isMalformed } from '../pki-error.ts';

/** Maximum characters of a request's PEM; one of a 4096-bit key has about 1,700. */
const MAX_CSR_LENGTH: number = 16 * 1024;
/** The largest RSA key that is certified. */
export const MAX_RSA_BITS = 4096;

/** Why a request is rejected. */
export type CsrRejection = 'malformed' | 'key-not-allowed' | 'signature-algorithm' | 'signature';

/** A request whose sender has the key, or the reason of its rejection. */
export type CsrCheckResult =
  | {
      readonly ok: true;
      readonly publicKey: PublicKey /** SHA-256 of the request's DER, hex. */;
      readonly hash: string;
    }
  | { readonly ok: false; readonly reason: CsrRejection; readonly message: string };

/**
 * Checks a request in PEM: size, then DER, then key, then signature. Only RSA keys of 2048 to 4096 bits with exponent
 * 65537 pass.
 */
export function readCsr(pem: string): CsrCheckResult {
  try {
    return verify(pem);
  } catch (error) {
    if (isMalformed(error)) return { ok: false, reason: 'malformed', message: error.message };
    throw error;
  }
}

function verify(pem: string): CsrCheckResult {
  const what = 'certificate request';
  const [der = new Uint8Array()] = readPemDer(pem, 'CERTIFICATE REQUEST', what, {
    maxLength: MAX_CSR_LENGTH,
    maxBlocks: 1,
  });
  const outer = new DerFields(readDer(der, what), what);
  const info = outer.take();
  const algorithm = outer.take(TAG.sequence);
  const signature = readOctetAlignedBits(outer.take(), what);
  outer.done();
  const fields = new DerFields(info, what);
  const version = readSmallInteger(fields.take(), what);
  if (version !== 0) return { ok: false, reason: 'malformed', message: `${what}: version ${version + 1}, expected 1` };
  fields.take(TAG.sequence);
  const publicKey = readPublicKey(fields.take(), what);
  fields.optional(0xa0);
  fields.done();
  return verifyKey(publicKey, { signedBytes: info.raw, algorithm, signature }, der);
}

function verifyKey(
  publicKey: PublicKey,
  signed: Parameters<typeof verifySignature>[0],
  der: Uint8Array,
): CsrCheckResult {
  const what = 'certificate request';
  const weakness =
    keyWeakness(publicKey.kind, MAX_RSA_BITS) ??
    (publicKey.kind.type === 'rsa' ? undefined : `a key of type ${publicKey.kind.type} (RSA is expected)`);
  if (weakness !== undefined) return { ok: false, reason: 'key-not-allowed', message: `${what}: ${weakness}` };
  const result = verifySignature(signed, publicKey, what);
  if (result === 'good') return { ok: true, publicKey, hash: hash('sha256', der, 'hex') };
  return result === 'bad'
    ? { ok: false, reason: 'signature', message: `${what}: its signature is not by its own key` }
    : {
        ok: false,
        reason: 'signature-algorithm',
        message: `${what}: signed with an algorithm that is not allowed (use SHA-256 with RSA)`,
      };
}
