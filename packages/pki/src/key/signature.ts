/** Signatures of certificates and requests: the allowed algorithms; node:crypto signs and verifies. */

import type { Buffer } from 'node:buffer';
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { type Asn1, nothing, oid, sequence } from '../asn1/der-build.ts';
import type { DerNode } from '../asn1/der-node.ts';
import { readOid, TAG } from '../asn1/der-values.ts';
import { OID } from '../asn1/oids.ts';
import { PkiError } from '../pki-error.ts';
import { type PublicKey, publicKeyObject } from './public-key.ts';

interface SignatureAlgorithm {
  readonly oid: string;
  readonly key: 'rsa' | 'ec' | 'ed25519';
  readonly digest: 'sha256' | 'sha384' | 'sha512' | null;
}

/** Signatures with SHA-1, MD5, DSA and RSA-PSS are rejected, since the list lacks them. */
const ALGORITHMS: readonly SignatureAlgorithm[] = [
  { oid: OID.sha256WithRsa, key: 'rsa', digest: 'sha256' },
  { oid: OID.sha384WithRsa, key: 'rsa', digest: 'sha384' },
  { oid: OID.sha512WithRsa, key: 'rsa', digest: 'sha512' },
  { oid: OID.ecdsaWithSha256, key: 'ec', digest: 'sha256' },
  { oid: OID.ecdsaWithSha384, key: 'ec', digest: 'sha384' },
  { oid: OID.ecdsaWithSha512, key: 'ec', digest: 'sha512' },
  { oid: OID.ed25519, key: 'ed25519', digest: null },
];

/** Signed data as parsed: the signed bytes, the algorithm, and the signature. */
export interface Signed {
  readonly signedBytes: Uint8Array;
  /** The AlgorithmIdentifier. */
  readonly algorithm: DerNode;
  readonly signature: Uint8Array;
}

/** Result of verifying a signature. */
export type SignatureResult = 'good' | 'bad' | 'algorithm-not-allowed';

/** Verifies with a key that was found strong enough. */
export function verifySignature(signed: Signed, key: PublicKey, what: string): SignatureResult {
  const algorithm = findAlgorithm(signed.algorithm, what);
  if (algorithm === undefined) return 'algorithm-not-allowed';
  if (algorithm.key !== key.kind.type) return 'bad';
  return verifyWith(algorithm.digest, signed.signedBytes, publicKeyObject(key, what), signed.signature)
    ? 'good'
    : 'bad';
}

function findAlgorithm(node: DerNode, what: string): SignatureAlgorithm | undefined {
  const [name, parameter, ...more] = node.children;
  if (node.tag !== TAG.sequence || name === undefined || more.length > 0) return undefined;
  const algorithm = ALGORITHMS.find((known) => known.oid === readOid(name, what));
  // RFC 8017: NULL for RSA; RFC 5758 and 8410: absent for the others.
  const wellFormed = algorithm?.key === 'rsa' ? parameter?.tag === TAG.null : parameter === undefined;
  return wellFormed ? algorithm : undefined;
}

function verifyWith(digest: string | null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(digest, data, key, signature);
  } catch {
    // A runtime that does not support this combination (Deno: P-521 with SHA-256) has not verified it.
    return false;
  }
}

const signAsync = promisify(
  (digest: string | null, data: Uint8Array, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) =>
    sign(digest, data, key, done),
);

/** Signs off the event loop with the digest for the key. @throws RELAY_E_PKI_KEY for an unsupported kind of key */
export async function signBytes(data: Uint8Array, key: KeyObject): Promise<Uint8Array> {
  return Uint8Array.from(await signAsync(signingAlgorithm(key).digest, data, key));
}

/** Verifies a signature of `signBytes`. */
export function verifyBytes(data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  return verifyWith(signingAlgorithm(key).digest, data, key, signature);
}

/** The AlgorithmIdentifier that `signBytes` uses with this key. */
export function signingAlgorithmIdentifier(key: KeyObject): Asn1 {
  const algorithm = signingAlgorithm(key);
  return algorithm.key === 'rsa' ? sequence(oid(algorithm.oid), nothing()) : sequence(oid(algorithm.oid));
}

function signingAlgorithm(key: KeyObject): SignatureAlgorithm {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const curve = publicKey.asymmetricKeyDetails?.namedCurve;
  const name =
    publicKey.asymmetricKeyType === 'rsa'
      ? OID.sha256WithRsa
      : curve === 'prime256v1'
        ? OID.ecdsaWithSha256
        : curve === 'secp384r1'
          ? OID.ecdsaWithSha384
          : undefined;
  const algorithm = ALGORITHMS.find((known) => known.oid === name);
  if (algorithm === undefined) throw new PkiError('RELAY_E_PKI_KEY', 'key: expected RSA, or EC on P-256 or P-384');
  return algorithm;
}
