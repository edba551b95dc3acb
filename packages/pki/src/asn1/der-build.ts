/** Builds DER. */
import { Buffer } from 'node:buffer';
import { TAG } from './der-values.ts';

/** A value in DER. */
export type Asn1 = Uint8Array<ArrayBuffer>;

/** Bits of the identifier octet: a context-specific tag, and content that is values. */
const CONTEXT = 0x80;
const CONSTRUCTED = 0x20;
const MAX_TAG_NUMBER = 30;

/** Header and content; an identifier octet has only one octet here. */
function value(identifier: number, ...content: readonly Uint8Array[]): Asn1 {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return concat([Uint8Array.of(identifier, ...lengthOctets(length)), ...content]);
}

function concat(parts: readonly Uint8Array[]): Asn1 {
  return Uint8Array.from(Buffer.concat(parts));
}

/** One octet below 128, else the number of octets and the octets. */
function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets = bigEndian(length);
  return [0x80 | octets.length, ...octets];
}

function bigEndian(number: number): number[] {
  const octets: number[] = [];
  for (let rest = number; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return octets;
}

export const sequence = (...items: Asn1[]): Asn1 => value(TAG.sequence, ...items);
export const set = (...items: Asn1[]): Asn1 => value(TAG.set, ...items);
/** OBJECT IDENTIFIER. @throws RangeError if it is not one */
export const oid = (dotted: string): Asn1 => value(TAG.oid, Uint8Array.from(oidOctets(dotted)));
export const boolean = (isTrue: boolean): Asn1 => value(TAG.boolean, Uint8Array.of(isTrue ? 0xff : 0x00));
export const nothing = (): Asn1 => value(TAG.null);
export const octetString = (octets: Uint8Array): Asn1 => value(TAG.octetString, octets);
export const utf8String = (text: string): Asn1 => value(TAG.utf8String, Buffer.from(text, 'utf8'));
/** BIT STRING; `unused` is the number of unused bits in the last octet. */
export const bitString = (octets: Uint8Array, unused = 0): Asn1 => value(TAG.bitString, Uint8Array.of(unused), octets);
/** `[number] EXPLICIT`, or a constructed implicit tag. */
export const tagged = (number: number, ...items: Asn1[]): Asn1 =>
  value(CONTEXT | CONSTRUCTED | tagNumber(number), ...items);
/** `[number] IMPLICIT` of a primitive. */
export const taggedOctets = (number: number, octets: Uint8Array): Asn1 => value(CONTEXT | tagNumber(number), octets);

/** INTEGER in two's complement, from octets that may have more than it needs. */
export function integer(octets: Uint8Array): Asn1 {
  let start = 0;
  while (isPadding(octets[start], octets[start + 1])) start += 1;
  return value(TAG.integer, octets.subarray(start));
}

/** Whether an octet only repeats the sign of the next one. */
function isPadding(octet: number | undefined, next: number | undefined): boolean {
  if (next === undefined) return false;
  return octet === (next < 0x80 ? 0x00 : 0xff);
}

/** A non-negative INTEGER below 2^31, such as a version. */
export function smallInteger(number: number): Asn1 {
  const octets = number === 0 ? [0] : bigEndian(number);
  // A first bit of 1 would mean a negative number.
  return integer(Uint8Array.from((octets[0] ?? 0) < 0x80 ? octets : [0, ...octets]));
}

/** A SEQUENCE whose content is already DER (an issuer's name, a public key). */
export function encodedSequence(content: Uint8Array): Asn1 {
  return value(TAG.sequence, content);
}

/** UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5). */
export function time(date: Date): Asn1 {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:T]/g, '');
  return date.getUTCFullYear() < 2050
    ? value(TAG.utcTime, Buffer.from(`${digits.slice(2)}Z`, 'latin1'))
    : value(TAG.generalizedTime, Buffer.from(`${digits}Z`, 'latin1'));
}

/** The DER of a built value. */
export function encode(built: Asn1): Uint8Array<ArrayBuffer> {
  return built;
}

function tagNumber(number: number): number {
  if (number <= MAX_TAG_NUMBER) return number;
  throw new RangeError(`tag number ${number}: expected at most ${MAX_TAG_NUMBER}`);
}

function oidOctets(dotted: string): number[] {
  const [first = Number.NaN, second = Number.NaN, ...rest] = dotted.split('.').map(Number);
  const arcs = [first * 40 + second, ...rest];
  if (!arcs.every((arc) => Number.isSafeInteger(arc) && arc >= 0))
    throw new RangeError(`${dotted}: expected an object identifier`);
  return arcs.flatMap(arcOctets);
}

/** In groups of seven bits; all octets but the last have the first bit. */
function arcOctets(arc: number): number[] {
  const octets = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) octets.unshift((rest % 128) | 0x80);
  return octets;
}
