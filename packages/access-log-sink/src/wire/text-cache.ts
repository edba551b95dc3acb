/** Strings decoded from bytes; repeated ones are decoded once. */
import type { Buffer } from 'node:buffer';

/** Number of slots; a power of two. */
const SLOTS = 2048;
/** Longer texts, in bytes, seldom repeat, and comparing them costs more than decoding. */
const MAX_TEXT_BYTES = 96;
/** Up to this many bytes a loop in JavaScript is faster than a call into the runtime. */
const BY_HAND = 24;

/** Buffer's own method behind toString, without its argument checks; Node and Deno have it. */
type Sliced = Buffer & { utf8Slice(from: number, to: number): string };

/**
 * A table of fixed size: a text replaces another in the same slot. Peers can neither fill it nor make it wrong, only
 * slow.
 */
export class TextCache {
  readonly #texts: Array<string | undefined> = new Array<string | undefined>(SLOTS).fill(undefined);
  /** The bytes of each text, which compare faster than its characters; allocated with the first. */
  #bytes: Uint8Array | undefined;

  /** Decodes UTF-8 bytes `from` (inclusive) `to` (exclusive); invalid UTF-8 becomes U+FFFD. */
  decode(bytes: Buffer, from: number, to: number): string {
    if (to - from > BY_HAND) return (bytes as Sliced).utf8Slice(from, to);
    let text = '';
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      if (byte >= 0x80) return (bytes as Sliced).utf8Slice(from, to);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Like `decode`, but usually creates no string for bytes that it has recently decoded. */
  intern(bytes: Buffer, from: number, to: number): string {
    const length = to - from;
    if (length === 0) return '';
    if (length > MAX_TEXT_BYTES) return this.decode(bytes, from, to);
    this.#bytes ??= new Uint8Array(SLOTS * MAX_TEXT_BYTES);
    const slot = slotOf(bytes, from, length);
    const known = this.#texts[slot];
    if (known !== undefined && known.length === length && same(this.#bytes, slot * MAX_TEXT_BYTES, bytes, from, length))
      return known;
    const text = this.decode(bytes, from, to);
    // A text whose length differs from its bytes is not ASCII, and would never be found again.
    if (text.length === length) {
      this.#texts[slot] = text;
      for (let at = 0; at < length; at++) this.#bytes[slot * MAX_TEXT_BYTES + at] = bytes[from + at] as number;
    }
    return text;
  }
}

/**
 * Hash of the length and all bytes: numbered names differ in the last ones. Computes four independent sums in parallel.
 */
function slotOf(bytes: Buffer, from: number, length: number): number {
  let [a, b, c, d] = [length, 0, 0, 0];
  const end = from + length;
  let at = from;
  for (; at + 3 < end; at += 4) {
    a = (Math.imul(a, 31) + (bytes[at] as number)) | 0;
    b = (Math.imul(b, 37) + (bytes[at + 1] as number)) | 0;
    c = (Math.imul(c, 41) + (bytes[at + 2] as number)) | 0;
    d = (Math.imul(d, 43) + (bytes[at + 3] as number)) | 0;
  }
  for (; at < end; at++) a = (Math.imul(a, 31) + (bytes[at] as number)) | 0;
  const hash = Math.imul(
    Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ d,
    0x27d4eb2f,
  );
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

function same(known: Uint8Array, start: number, bytes: Buffer, from: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (known[start + at] !== bytes[from + at]) return false;
  return true;
}
