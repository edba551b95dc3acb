/** A page: the texts of some dozens of values as bytes outside the heap. */
import { textHash } from '../text/text-hash.ts';
import type { PageCodec } from './page-codec.ts';

/** Pages unpacked last: what reads one value of a page often reads its neighbours next. */
const RECENT = 4;
const recent: { readonly page: Page; readonly text: string }[] = [];

export class Page {
  readonly #bytes: Uint8Array;
  readonly #codec: PageCodec;
  /** Where each text ends, in UTF-16 code units. */
  readonly #ends: Uint32Array;
  /** {@link textHash} of each text. */
  readonly #hashes: Int32Array;
  /** How many of its texts are still somebody's. */
  live: number;

  constructor(texts: readonly string[], codec: PageCodec) {
    let end = 0;
    this.#ends = Uint32Array.from(texts, (text) => {
      end += text.length;
      return end;
    });
    this.#hashes = Int32Array.from(texts, textHash);
    this.#codec = codec;
    this.#bytes = codec.pack(texts.join(''));
    this.live = texts.length;
  }

  /** How many texts it has, dead ones included. */
  get size(): number {
    return this.#ends.length;
  }

  /** What it takes outside the heap. */
  get bytes(): number {
    return this.#bytes.byteLength + this.#ends.byteLength + this.#hashes.byteLength;
  }

  lengthOf(nth: number): number {
    return (this.#ends[nth] as number) - this.#startOf(nth);
  }

  hashOf(nth: number): number {
    return this.#hashes[nth] as number;
  }

  textOf(nth: number): string {
    return this.#text().slice(this.#startOf(nth), this.#ends[nth]);
  }

  #startOf(nth: number): number {
    return nth === 0 ? 0 : (this.#ends[nth - 1] as number);
  }

  #text(): string {
    const known = recent.find(({ page }) => page === this);
    if (known !== undefined) return known.text;
    const text = this.#codec.unpack(this.#bytes);
    recent.unshift({ page: this, text });
    if (recent.length > RECENT) recent.pop();
    return text;
  }
}
