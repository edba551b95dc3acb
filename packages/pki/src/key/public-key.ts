/** Public keys of certificates and requests: parsed, bounded and checked before OpenSSL reads them. */

import { Buffer } from 'node:buffer';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { DerFields } from '../asn1/der-fields.ts';
import { type DerNode, readDer } from '../asn1/der-node.ts';
import { readInteger, readOctetAlignedBits, readOid, TAG } from '../asn1/der-values.ts';
import { OID } from '../asn1/oids.ts';
import { malformed } from '../pki-error.ts';

/** Kind of key in a SubjectPublicKeyInfo; `unsupported` is never trusted at any size. */
export type PublicKeyKind =
  | { readonly type: 'rsa'; readonly bits: number; readonly exponent: number }
  | { readonly type: 'ec'; readonly curve: 'P-256' | 'P-384' | 'P-521' }
  | { readonly type: 'ed25519' }
  | { readonly type: 'unsupported'; readonly why: string };

/** A public key in a certificate or request. */
export interface PublicKey {
  readonly kind: PublicKeyKind;
  /** SubjectPublicKeyInfo, header included. */
  readonly der: Uint8Array;
  /** The bits of the key alone; key identifiers are computed from them. */
  readonly bits: Uint8Array;
}

const CURVES: ReadonlyMap<string, 'P-256' | 'P-384' | 'P-521'> = new Map([
  [OID.p256, 'P-256'],
  [OID.p384, 'P-384'],
  [OID.p521, 'P-521'],
]);

/**
 * Reads a SubjectPublicKeyInfo.
 * @throws RELAY_E_PKI_MALFORMED
 */
export function readPublicKey(node: DerNode, what: string): PublicKey {
  const info = new DerFields(node, what);
  const algorithm = new DerFields(info.take(), what);
  const bits = readOctetAlignedBits(info.take(), what);
  info.done();
  const name = readOid(algorithm.take(), what);
  const parameters = algorithm.rest();
  return { kind: readKind(name, parameters, bits, what), der: node.raw, bits };
}

function readKind(name: string, parameters: readonly DerNode[], bits: Uint8Array, what: string): PublicKeyKind {
  const [parameter] = parameters;
  if (name === OID.rsaEncryption) {
    if (parameters.length !== 1 || parameter?.raw.length !== 2 || parameter.tag !== TAG.null) {
      throw malformed(`${what}: RSA key with parameters`);
    }
    return readRsa(bits, what);
  }
  if (name === OID.ecPublicKey) {
    const curve = parameter?.tag === TAG.oid ? CURVES.get(readOid(parameter, what)) : undefined;
    return curve === undefined
      ? { type: 'unsupported', why: 'not on the curve P-256, P-384 or P-521' }
      : { type: 'ec', curve };
  }
  if (name === OID.ed25519 && parameters.length === 0) return { type: 'ed25519' };
  return { type: 'unsupported', why: `key algorithm ${name}` };
}

function readRsa(bits: Uint8Array, what: string): PublicKeyKind {
  const key = new DerFields(readDer(bits, what), what);
  const modulus = readInteger(key.take(), what);
  const exponent = readInteger(key.take(), what);
  key.done();
  const size = Buffer.from(modulus).toString('hex').replace(/^0+/, '');
  if ((modulus[0] ?? 0x80) >= 0x80 || size === '' || (exponent[0] ?? 0x80) >= 0x80)
    throw malformed(`${what}: negative RSA number`);
  if (((modulus.at(-1) ?? 0) & 1) === 0) return { type: 'unsupported', why: 'an RSA modulus that is even' };
  return {
    type: 'rsa',
    bits: (size.length - 1) * 4 + Number.parseInt(size.charAt(0), 16).toString(2).length,
    exponent:
      exponent.length > 6 ? Number.POSITIVE_INFINITY : exponent.reduce((value, octet) => value * 256 + octet, 0),
  };
}

/**
 * Why a key is too weak to be certified or to certify; undefined if it is strong enough. `maxRsaBits` bounds the work.
 */
export function keyWeakness(kind: PublicKeyKind, maxRsaBits: number): string | undefined {
  if (kind.type === 'unsupported') return kind.why;
  if (kind.type !== 'rsa') return undefined;
  if (kind.bits < 2048 || kind.bits > maxRsaBits || kind.bits % 8 !== 0) {
    return `an RSA key of ${kind.bits} bits (2048 to ${maxRsaBits} in whole octets are allowed)`;
  }
  return kind.exponent === 65_537 ? undefined : 'an RSA public exponent other than 65537';
}

/**
 * The key as a KeyObject, for a key without weakness.
 * @throws RELAY_E_PKI_MALFORMED when OpenSSL cannot read it (a point not on its curve)
 */
export function publicKeyObject(key: PublicKey, what: string): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(key.der), format: 'der', type: 'spki' });
  } catch (cause) {
    throw malformed(`${what}: public key can not be read`, { cause });
  }
}
