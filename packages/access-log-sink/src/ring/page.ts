/** Consecutive entries of one stream, as received bytes. */
import { Buffer } from 'node:buffer';
import type { Reporter } from '../attribution/reporter.ts';
import type { CompiledRules } from '../filter/compiled-rules.ts';

/** Bytes before each entry: its length, with the highest bit set for TCP. */
const HEADER = 4;
const TCP = 2 ** 31;
/** Approximate memory of a page in addition to its bytes. */
const OVERHEAD = 256;

/** Receives the location of an entry's bytes. */
export type EntryVisitor = (kind: 'http' | 'tcp', bytes: Buffer, from: number, to: number) => void;

/** Entries are only appended, so readers of earlier entries are not disturbed. */
export class Page {
  readonly reporter: Reporter;
  readonly rules: CompiledRules;
  /** Its position among all pages, by age. */
  readonly sequence: number;
  readonly #bytes: Buffer;
  #used = 0;
  #entries = 0;
  #sealed = false;
  #lent = false;

  /** @param bytes memory of an evicted page; new memory of `capacity` bytes when omitted */
  constructor(
    of: { readonly reporter: Reporter; readonly rules: CompiledRules; readonly sequence: number },
    capacity: number,
    bytes?: Buffer,
  ) {
    this.reporter = of.reporter;
    this.rules = of.rules;
    this.sequence = of.sequence;
    // Not from Node's pool, in which one small page would keep a large block alive.
    this.#bytes = bytes ?? Buffer.allocUnsafeSlow(capacity);
  }

  /** Room that a page needs for an entry of this many bytes. */
  static roomFor(length: number): number {
    return length + HEADER;
  }

  /** Bytes of memory, full or not. */
  get cost(): number {
    return this.#bytes.length + OVERHEAD;
  }

  get entries(): number {
    return this.#entries;
  }

  /** Bytes in use: the maximum end for `visit`. */
  get used(): number {
    return this.#used;
  }

  /** A reader may use the page for long: its memory cannot be reused. */
  lend(): void {
    this.#lent = true;
  }

  /**
   * Accepts no more entries: those added to an evicted page would be lost without a count.
   * @returns its memory, for another page; undefined if a reader may still use it
   */
  seal(): Buffer | undefined {
    this.#sealed = true;
    return this.#lent ? undefined : this.#bytes;
  }

  /** Copies an entry; false if it does not fit, or the page is sealed. */
  add(kind: 'http' | 'tcp', bytes: Buffer, from: number, to: number): boolean {
    const length = to - from;
    if (this.#sealed || this.#used + HEADER + length > this.#bytes.length) return false;
    this.#bytes.writeUInt32LE(kind === 'tcp' ? length + TCP : length, this.#used);
    bytes.copy(this.#bytes, this.#used + HEADER, from, to);
    this.#used += HEADER + length;
    this.#entries++;
    return true;
  }

  /** Visits the entries in the first `until` bytes, oldest first. */
  visit(until: number, visitor: EntryVisitor): void {
    for (let at = 0; at < until; ) {
      const word = this.#bytes.readUInt32LE(at);
      const from = at + HEADER;
      const to = from + (word % TCP);
      visitor(word >= TCP ? 'tcp' : 'http', this.#bytes, from, to);
      at = to;
    }
  }
}
