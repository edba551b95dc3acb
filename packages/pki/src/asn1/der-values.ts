/** The primitive values of DER as JavaScript values. A value in any other form than DER's is rejected. */
import { Buffer } from 'node:buffer';
import { malformed } from '../pki-error.ts';
import type { DerNode } from './der-node.ts';

/** Identifier octets of the used universal types. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

function expect(node: DerNode, tag: number, what: string): Uint8Array {
  if (node.tag !== tag) throw malformed(`${what}: unexpected DER tag 0x${node.tag.toString(16)}`);
  return node.content;
}

/** BOOLEAN: 0x00 or 0xff. */
export function readBoolean(node: DerNode, what: string): boolean {
  const [octet, ...rest] = expect(node, TAG.boolean, what);
  if (rest.length > 0 || (octet !== 0x00 && octet !== 0xff)) throw malformed(`${what}: not a DER boolean`);
  return octet === 0xff;
}

/** INTEGER in its minimal two's complement form, as its content octets. */
export function readInteger(node: DerNode, what: string): Uint8Array {
  const octets = expect(node, TAG.integer, what);
  const [first, second] = octets;
  if (first === undefined) throw malformed(`${what}: empty integer`);
  const padded = second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
  if (padded) throw malformed(`${what}: integer is not minimal`);
  return octets;
}

/** A non-negative INTEGER below 2^31, such as a version or a path length. */
export function readSmallInteger(node: DerNode, what: string): number {
  const octets = readInteger(node, what);
  if (octets.length > 4 || (octets[0] ?? 0) >= 0x80) throw malformed(`${what}: number out of range`);
  return octets.reduce((value, octet) => value * 256 + octet, 0);
}

/** OBJECT IDENTIFIER in dotted form. */
export function readOid(node: DerNode, what: string): string {
  const octets = expect(node, TAG.oid, what);
  if (octets.length === 0 || octets.length > 64 || (octets.at(-1) ?? 0) >= 0x80) {
    throw malformed(`${what}: not an object identifier`);
  }
  const arcs: number[] = [];
  let arc = 0;
  let fresh = true;
  for (const octet of octets) {
    if (fresh && octet === 0x80) throw malformed(`${what}: object identifier is not minimal`);
    arc = arc * 128 + (octet & 0x7f);
    if (arc > Number.MAX_SAFE_INTEGER) throw malformed(`${what}: object identifier too large`);
    fresh = octet < 0x80;
    if (fresh) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const head = arcs[0] ?? 0;
  const first = Math.min(Math.floor(head / 40), 2);
  return [first, head - first * 40, ...arcs.slice(1)].join('.');
}

/** BIT STRING whose bits fill its octets, as signatures and keys do. */
export function readOctetAlignedBits(node: DerNode, what: string): Uint8Array {
  const octets = expect(node, TAG.bitString, what);
  if (octets[0] !== 0) throw malformed(`${what}: bit string does not end at an octet`);
  return octets.subarray(1);
}

/** BIT STRING of named bits (key usage): the set of bit numbers that are on. */
export function readNamedBits(node: DerNode, what: string): ReadonlySet<number> {
  const [unused, ...octets] = expect(node, TAG.bitString, what);
  if (unused === undefined || unused > 7 || octets.length > 2) throw malformed(`${what}: not a list of named bits`);
  const bits = new Set<number>();
  for (const [index, octet] of octets.entries()) {
    for (let bit = 0; bit < 8; bit++) if ((octet & (0x80 >> bit)) !== 0) bits.add(index * 8 + bit);
  }
  return bits;
}

/** IA5String content (also under an implicit tag): visible ASCII only, so no NUL and no control character. */
export function readAscii(octets: Uint8Array, what: string): string {
  for (const octet of octets) if (octet < 0x20 || octet > 0x7e) throw malformed(`${what}: not visible ASCII`);
  return Buffer.from(octets).toString('latin1');
}

/** UTCTime or GeneralizedTime, to the second and in UTC, as RFC 5280 section 4.1.2.5 allows them. */
export function readTime(node: DerNode, what: string): Date {
  const long = node.tag === TAG.generalizedTime;
  if (!long && node.tag !== TAG.utcTime) throw malformed(`${what}: not a time`);
  const text = readAscii(node.content, what);
  const match = (long ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/ : /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/).exec(
    text,
  );
  if (match === null) throw malformed(`${what}: not a time in UTC to the second`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const fullYear = long ? year : year + (year < 50 ? 2000 : 1900);
  const time = new Date(0);
  time.setUTCFullYear(fullYear, month - 1, day);
  time.setUTCHours(hour, minute, second);
  const exact = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && time.getUTCHours() === hour;
  if (!exact || minute > 59 || second > 59) throw malformed(`${what}: no such date`);
  return time;
}
