/** Strings made from bytes; those that come again and again are made once. */
import type { Buffer } from 'node:buffer';

/** Slots; a power of two. */
const SLOTS = 2048;
/** Longer texts, in bytes, are seldom alike, and comparing them costs more than making them. */
const MOST = 96;
/** Up to this many bytes a loop in JavaScript is quicker than a call into the runtime. */
const BY_HAND = 24;

/** Buffer's own method behind toString, without its look at the arguments; Node and Deno have it. */
type Sliced = Buffer & { utf8Slice(from: number, to: number): string };

/** A table of fixed size: a text that meets a slot taken by another replaces it. What peers send can neither fill it nor make it wrong, only slow. */
export class TextCache {
  readonly #slots: Array<string | undefined> = new Array<string | undefined>(SLOTS).fill(undefined);

  /** The text of UTF-8 bytes `from` (inclusive) `to` (exclusive); what is no UTF-8 becomes U+FFFD. */
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

  /** As `decode`, mostly without making a string where the same bytes were seen lately. */
  intern(bytes: Buffer, from: number, to: number): string {
    const length = to - from;
    if (length === 0) return '';
    if (length > MOST) return this.decode(bytes, from, to);
    const slot = slotOf(bytes, from, length);
    const known = this.#slots[slot];
    if (known !== undefined && known.length === length && same(known, bytes, from)) return known;
    const text = this.decode(bytes, from, to);
    // A text whose length is not that of its bytes is not ASCII, and would never be found again.
    if (text.length === length) this.#slots[slot] = text;
    return text;
  }
}

/** Of the length and all bytes: names that count up differ in the last ones. */
function slotOf(bytes: Buffer, from: number, length: number): number {
  let hash = length;
  for (let at = from; at < from + length; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

function same(text: string, bytes: Buffer, from: number): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
}
