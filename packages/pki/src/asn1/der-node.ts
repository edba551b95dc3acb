/**
 * A strict reader of DER, bounded in size and depth.
 *
 * node:crypto does not give access to key usage bits, path lengths, name constraints or unknown critical extensions.
 * Readers that accept more than DER have caused forged signatures. So everything that verification depends on is read
 * here: definite minimal lengths only, no trailing byte, low tag numbers only.
 */
import { malformed } from '../pki-error.ts';

/** One value: its identifier octet, its bytes, and the inner values of a constructed value. */
export interface DerNode {
  /**
   * The identifier octet: class, constructed bit and tag number together (0x30 is SEQUENCE, 0xa0 is [0] constructed).
   */
  readonly tag: number;
  /** The whole value, header included, as it was signed. */
  readonly raw: Uint8Array;
  /** The bytes after the header. */
  readonly content: Uint8Array;
  /** The values inside a constructed value; empty for a primitive one. */
  readonly children: readonly DerNode[];
}

const CONSTRUCTED = 0x20;
const HIGH_TAG_NUMBER = 0x1f;

/** Maximum nesting depth. A certificate or CSR needs eight. */
export const MAX_DEPTH = 16;

/**
 * Reads exactly one value that fills `bytes`.
 * @throws RELAY_E_PKI_MALFORMED
 */
export function readDer(bytes: Uint8Array, what: string): DerNode {
  const node = readAt(bytes, 0, what, 1);
  if (node.raw.length !== bytes.length) throw malformed(`${what}: bytes after the end of its DER`);
  return node;
}

function readAt(bytes: Uint8Array, start: number, what: string, depth: number): DerNode {
  if (depth > MAX_DEPTH) throw malformed(`${what}: DER nested deeper than ${MAX_DEPTH} levels`);
  const tag = bytes[start];
  if (tag === undefined) throw malformed(`${what}: DER ends too early`);
  if ((tag & HIGH_TAG_NUMBER) === HIGH_TAG_NUMBER) throw malformed(`${what}: DER tag number above 30`);
  const { length, header } = readLength(bytes, start + 1, what);
  const from = start + 1 + header;
  if (from + length > bytes.length) throw malformed(`${what}: DER ends too early`);
  const content = bytes.subarray(from, from + length);
  const children: DerNode[] = [];
  if ((tag & CONSTRUCTED) !== 0) {
    for (let at = 0; at < content.length; ) {
      const child = readAt(content, at, what, depth + 1);
      children.push(child);
      at += child.raw.length;
    }
  }
  return { tag, raw: bytes.subarray(start, from + length), content, children };
}

/**
 * Length octets: short form below 128, otherwise the fewest octets that hold it; the indefinite form is BER, not DER.
 */
function readLength(bytes: Uint8Array, at: number, what: string): { length: number; header: number } {
  const first = bytes[at];
  if (first === undefined) throw malformed(`${what}: DER ends too early`);
  if (first < 0x80) return { length: first, header: 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw malformed(`${what}: DER length is indefinite or too long`);
  let length = 0;
  for (let index = 1; index <= count; index++) {
    const octet = bytes[at + index];
    if (octet === undefined) throw malformed(`${what}: DER ends too early`);
    length = length * 256 + octet;
  }
  if (length < 0x80 || length < 256 ** (count - 1)) throw malformed(`${what}: DER length is not minimal`);
  return { length, header: 1 + count };
}
