/** Packs values page by page, and repacks pages in which most values are dead. */

import type { AnyPacked } from './packed.ts';
import { Page } from './page.ts';
import type { PageCodec } from './page-codec.ts';

/** Packs the values of one collection: similar values compress well. */
export class Packer {
  readonly #codec: PageCodec;
  /** New values that are not packed yet. */
  readonly #waiting = new Set<AnyPacked>();
  #next: Iterator<AnyPacked> | undefined;
  /** Texts of the page that is being filled; their values stay unpacked until it is full. */
  readonly #open = new Map<AnyPacked, string>();
  #openLength = 0;
  #live = 0;
  #dead = 0;

  constructor(codec: PageCodec) {
    this.#codec = codec;
  }

  /** Adds a value to be packed. */
  add(packed: AnyPacked): void {
    if (packed.page === undefined) this.#waiting.add(packed);
  }

  /** Removes a value. It stays readable for code that still holds it. */
  drop(packed: AnyPacked): void {
    this.#waiting.delete(packed);
    const text = this.#open.get(packed);
    if (text !== undefined) {
      this.#open.delete(packed);
      this.#openLength -= text.length;
    }
    if (packed.page !== undefined) this.#leave(packed.page);
  }

  /** Whether more texts in pages are dead than alive: time to {@link repack}. */
  get isSparse(): boolean {
    return this.#dead > this.#live;
  }

  /** Packs the living values again whose pages contain more dead values than living ones. */
  repack(living: Iterable<AnyPacked>): void {
    for (const packed of living) {
      const { page } = packed;
      if (page !== undefined && page.live * 2 < page.size) this.#waiting.add(packed);
    }
  }

  /**
   * Packs one waiting value.
   * @returns false if none is waiting
   */
  step(): boolean {
    this.#next ??= this.#waiting.values();
    const next = this.#next.next();
    if (next.done) {
      this.#next = undefined;
      return false;
    }
    const packed = next.value;
    this.#waiting.delete(packed);
    const text = textOf(packed);
    if (text === undefined) return true;
    this.#open.set(packed, text);
    this.#openLength += text.length;
    if (this.#openLength >= this.#codec.pageLength) this.#close();
    return true;
  }

  /** The numbers of texts in pages, of dead ones among them, and of values that are not in pages yet. */
  get sizes(): Readonly<Record<string, number>> {
    return { live: this.#live, dead: this.#dead, waiting: this.#waiting.size + this.#open.size };
  }

  #close(): void {
    const page = new Page([...this.#open.values()], this.#codec);
    let nth = 0;
    for (const packed of this.#open.keys()) {
      if (packed.page !== undefined) this.#leave(packed.page);
      packed.putAway(page, nth);
      nth += 1;
    }
    this.#live += page.size;
    this.#open.clear();
    this.#openLength = 0;
  }

  #leave(page: Page): void {
    page.live -= 1;
    this.#live -= 1;
    this.#dead += 1;
    // No value refers to the page any more.
    if (page.live === 0) this.#dead -= page.size;
  }
}

/** Undefined if a value cannot be serialized as JSON, as plugins may return one: it stays unpacked. */
function textOf(packed: AnyPacked): string | undefined {
  try {
    return packed.text;
  } catch {
    return undefined;
  }
}
