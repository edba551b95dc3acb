/** A cursor over protobuf bytes that never reads outside the current message. */
import type { Buffer } from 'node:buffer';
import { TextCache } from './text-cache.ts';
import { WireError } from './wire-error.ts';

const EMPTY: Buffer = new Uint8Array(0) as Buffer;
const UPPER = 2 ** 32;
/** Groups are obsolete, but an unknown field may be one; deeper nesting does not occur in real messages. */
const MAX_GROUPS = 32;

/**
 * Reads the value that a tag announces. `end` is the end of the innermost open message: every read is checked against
 * it. Each method throws a WireError if the bytes do not contain the requested value.
 */
export class WireReader {
  pos = 0;
  end = 0;
  bytes: Buffer = EMPTY;
  readonly #texts = new TextCache();

  /** Starts to read bytes `from` (inclusive) `to` (exclusive), which are within `bytes`. */
  open(bytes: Buffer, from: number, to: number): void {
    this.bytes = bytes;
    this.pos = from;
    this.end = to;
  }

  /** Releases the bytes, so an idle reader keeps no message alive. */
  close(): void {
    this.open(EMPTY, 0, 0);
  }

  /** The lower 32 bits of a varint, unsigned: tags, lengths, enums, uint32. */
  uint32(): number {
    const { bytes, end } = this;
    const first = this.pos;
    let pos = first;
    if (pos >= end) throw cut('a number', first);
    let byte = bytes[pos++] as number;
    if (byte < 0x80) {
      this.pos = pos;
      return byte;
    }
    let value = byte & 0x7f;
    for (let shift = 7; shift < 70; shift += 7) {
      if (pos >= end) throw cut('a number', first);
      byte = bytes[pos++] as number;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.pos = pos;
        return value >>> 0;
      }
    }
    throw new WireError('a number longer than ten bytes', first);
  }

  /** A varint of 64 bits, unsigned; above 2^53 the nearest double. */
  uint64(): number {
    return this.#integer64(false);
  }

  /** A varint of 64 bits, two's complement; above 2^53 the nearest double. */
  int64(): number {
    return this.#integer64(true);
  }

  bool(): boolean {
    return this.#integer64(false) !== 0;
  }

  #integer64(signed: boolean): number {
    const { bytes, end } = this;
    const first = this.pos;
    let pos = first;
    if (pos < end && (bytes[pos] as number) < 0x80) {
      this.pos = pos + 1;
      return bytes[pos] as number;
    }
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (pos >= end) throw cut('a number', first);
      const byte = bytes[pos++] as number;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high |= bits >>> 4;
      else if (shift > 28) high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.pos = pos;
        return (signed ? high : high >>> 0) * UPPER + (low >>> 0);
      }
    }
    throw new WireError('a number longer than ten bytes', first);
  }

  double(): number {
    const at = this.pos;
    if (this.end - at < 8) throw cut('a double', at);
    this.pos = at + 8;
    return this.bytes.readDoubleLE(at);
  }

  /** The length of the next value, which is within the open message. */
  length(): number {
    const at = this.pos;
    const length = this.uint32();
    if (length > this.end - this.pos) {
      throw new WireError(`${length} bytes are announced, ${this.end - this.pos} are left`, at);
    }
    return length;
  }

  /**
   * Opens the next message: reads stop at its end, where `pos < end` is false.
   * @returns the value for `leave`
   */
  enter(): number {
    const length = this.length();
    const outer = this.end;
    this.end = this.pos + length;
    return outer;
  }

  /** Closes a message that was read to its end. */
  leave(outer: number): void {
    this.end = outer;
  }

  /** A text that seldom repeats; invalid UTF-8 becomes U+FFFD. */
  text(): string {
    const length = this.length();
    const from = this.pos;
    this.pos = from + length;
    return this.#texts.decode(this.bytes, from, this.pos);
  }

  /** A text that often repeats: returns the same string each time, usually without creating it. */
  commonText(): string {
    const length = this.length();
    const from = this.pos;
    this.pos = from + length;
    return this.#texts.intern(this.bytes, from, this.pos);
  }

  /**
   * Moves to the next requested field of the open message and skips all others.
   * @param requested 1 at requested numbers; numbers past its end are not requested
   * @returns its tag; 0 at the end of the message
   */
  next(requested: Uint8Array): number {
    // Most of an entry is skipped here: short tags and short values without a call.
    const { bytes, end } = this;
    let pos = this.pos;
    while (pos < end) {
      let tag = bytes[pos] as number;
      if (tag < 0x80) pos++;
      else {
        this.pos = pos;
        tag = this.uint32();
        pos = this.pos;
      }
      if (requested[tag >>> 3] === 1) {
        this.pos = pos;
        return tag;
      }
      const first = pos < end ? (bytes[pos] as number) : 0x80;
      const wire = tag & 7;
      if (first < 0x80 && tag > 7 && wire === 0) pos++;
      else if (first < 0x80 && tag > 7 && wire === 2 && first < end - pos) pos += 1 + first;
      else {
        this.pos = pos;
        this.skip(tag);
        pos = this.pos;
      }
    }
    this.pos = pos;
    return 0;
  }

  /** Skips the value that belongs to a tag. */
  skip(tag: number): void {
    this.#skip(tag, 0);
  }

  #skip(tag: number, depth: number): void {
    const at = this.pos;
    if (tag >>> 3 === 0) throw new WireError('a field with the number 0', at);
    switch (tag & 7) {
      case 0:
        this.#passNumber();
        return;
      case 1:
        this.#pass(8);
        return;
      case 2:
        this.#pass(this.length());
        return;
      case 3:
        this.#skipGroup(tag >>> 3, depth + 1);
        return;
      case 5:
        this.#pass(4);
        return;
      default:
        throw new WireError(`a value of wire type ${tag & 7}, which is not allowed here`, at);
    }
  }

  #passNumber(): void {
    const { bytes, end, pos: first } = this;
    const last = Math.min(end, first + 10);
    for (let pos = first; pos < last; pos++) {
      if ((bytes[pos] as number) >= 0x80) continue;
      this.pos = pos + 1;
      return;
    }
    if (last === end && end - first < 10) throw cut('a number', first);
    throw new WireError('a number longer than ten bytes', first);
  }

  #pass(length: number): void {
    if (length > this.end - this.pos) throw cut(`${length} bytes`, this.pos);
    this.pos += length;
  }

  #skipGroup(number: number, depth: number): void {
    if (depth > MAX_GROUPS) throw new WireError(`groups more than ${MAX_GROUPS} deep`, this.pos);
    for (;;) {
      const at = this.pos;
      const tag = this.uint32();
      if ((tag & 7) === 4) {
        if (tag >>> 3 === number) return;
        throw new WireError('the end of another group', at);
      }
      this.#skip(tag, depth);
    }
  }
}

function cut(what: string, at: number): WireError {
  return new WireError(`${what} begins here and is cut off`, at);
}
