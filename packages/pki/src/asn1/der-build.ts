/** Builds DER with node-forge. Only its ASN.1 writer is used, never its reader. */
import { Buffer } from 'node:buffer';
import forge from 'node-forge';
import { TAG } from './der-values.ts';

/** A value under construction. */
export type Asn1 = forge.asn1.Asn1;

const { asn1 } = forge;
const UNIVERSAL = asn1.Class.UNIVERSAL;
const CONTEXT = asn1.Class.CONTEXT_SPECIFIC;

const binary = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const primitive = (tag: number, content: string): Asn1 => asn1.create(UNIVERSAL, tag, false, content);

export const sequence = (...items: Asn1[]): Asn1 => asn1.create(UNIVERSAL, asn1.Type.SEQUENCE, true, items);
export const set = (...items: Asn1[]): Asn1 => asn1.create(UNIVERSAL, asn1.Type.SET, true, items);
export const oid = (dotted: string): Asn1 => primitive(asn1.Type.OID, asn1.oidToDer(dotted).getBytes());
export const smallInteger = (value: number): Asn1 => primitive(asn1.Type.INTEGER, asn1.integerToDer(value).getBytes());
/** INTEGER from its content octets, which must be minimal already. */
export const integer = (octets: Uint8Array): Asn1 => primitive(asn1.Type.INTEGER, binary(octets));
export const boolean = (value: boolean): Asn1 => primitive(asn1.Type.BOOLEAN, value ? '\xff' : '\x00');
export const nothing = (): Asn1 => primitive(asn1.Type.NULL, '');
export const octetString = (octets: Uint8Array): Asn1 => primitive(asn1.Type.OCTETSTRING, binary(octets));
export const utf8String = (text: string): Asn1 => primitive(asn1.Type.UTF8, binary(Buffer.from(text, 'utf8')));
/** BIT STRING; `unused` is the number of unused bits in the last octet. */
export const bitString = (octets: Uint8Array, unused = 0): Asn1 =>
  primitive(asn1.Type.BITSTRING, String.fromCharCode(unused) + binary(octets));
/** `[number] EXPLICIT`, or a constructed implicit tag. */
export const tagged = (number: number, ...items: Asn1[]): Asn1 => asn1.create(CONTEXT, number, true, items);
/** `[number] IMPLICIT` of a primitive. */
export const taggedOctets = (number: number, octets: Uint8Array): Asn1 =>
  asn1.create(CONTEXT, number, false, binary(octets));

/** A SEQUENCE that is already DER (an issuer's name, a public key), inserted unchanged. */
export function encodedSequence(content: Uint8Array): Asn1 {
  // With the whole identifier octet as type and marked primitive, forge writes header and content without reading the
  // content.
  return primitive(TAG.sequence, binary(content));
}

/** UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5). */
export function time(date: Date): Asn1 {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:T]/g, '');
  return date.getUTCFullYear() < 2050
    ? primitive(asn1.Type.UTCTIME, `${digits.slice(2)}Z`)
    : primitive(asn1.Type.GENERALIZEDTIME, `${digits}Z`);
}

/** The DER of a built value. */
export function encode(value: Asn1): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(asn1.toDer(value).getBytes(), 'latin1'));
}
