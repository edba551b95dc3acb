/** A run of entries of one stream, as the bytes they came in. */
import { Buffer } from 'node:buffer';
import type { Reporter } from '../attribution/reporter.ts';
import type { CompiledRules } from '../filter/compiled-rules.ts';

/** Bytes before each entry: its length, and in the highest bit whether it is one of TCP. */
const HEADER = 4;
const TCP = 2 ** 31;
/** What a page costs beside its bytes, roughly. */
const OVERHEAD = 256;

/** Where an entry's bytes are. */
export type EntryVisitor = (kind: 'http' | 'tcp', bytes: Buffer, from: number, to: number) => void;

/** Entries are only ever added: whoever reads what was there a moment ago is not disturbed. */
export class Page {
  readonly reporter: Reporter;
  readonly rules: CompiledRules;
  /** Its place among all pages, by age. */
  readonly sequence: number;
  readonly #bytes: Buffer;
  #used = 0;
  #entries = 0;
  #sealed = false;
  #lent = false;

  /** @param bytes memory of a page that made way; new memory of `capacity` bytes when omitted */
  constructor(
    of: { readonly reporter: Reporter; readonly rules: CompiledRules; readonly sequence: number },
    capacity: number,
    bytes?: Buffer,
  ) {
    this.reporter = of.reporter;
    this.rules = of.rules;
    this.sequence = of.sequence;
    // Not from Node's pool, of which one small page would keep a large piece alive.
    this.#bytes = bytes ?? Buffer.allocUnsafeSlow(capacity);
  }

  /** Room a page needs for an entry of so many bytes. */
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

  /** Bytes in use: the end up to which `visit` may go. */
  get used(): number {
    return this.#used;
  }

  /** Somebody reads it, perhaps for long: its memory is nobody else's any more. */
  lend(): void {
    this.#lent = true;
  }

  /**
   * Takes no more entries: what is added to a page nobody has any more would be lost uncounted.
   * @returns its memory, for another page; undefined where somebody may still read it
   */
  seal(): Buffer | undefined {
    this.#sealed = true;
    return this.#lent ? undefined : this.#bytes;
  }

  /** Copies an entry; false where it does not fit, or the page is sealed. */
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
