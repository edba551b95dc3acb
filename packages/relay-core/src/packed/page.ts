/** A page: the texts of some dozens of values as bytes outside the heap. */
import { textHash } from '../text/text-hash.ts';
import type { PageCodec } from './page-codec.ts';

/** The pages unpacked last: a read of one value of a page is often followed by reads of its neighbours. */
const RECENT = 4;
const recent: { readonly page: Page; readonly text: string }[] = [];

export class Page {
  readonly #bytes: Uint8Array;
  readonly #codec: PageCodec;
  /** The end of each text, in UTF-16 code units. */
  readonly #ends: Uint32Array;
  /** {@link textHash} of each text. */
  readonly #hashes: Int32Array;
  /** The number of texts that are still in use. */
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

  /** The number of texts, including dead ones. */
  get size(): number {
    return this.#ends.length;
  }

  /** Its size outside the heap. */
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
