/** Puts values away, page by page, and makes pages anew when most of what is in them is nobody's any more. */

import type { AnyPacked } from './packed.ts';
import { Page } from './page.ts';
import type { PageCodec } from './page-codec.ts';

/** Packs the values of one collection: values like each other compress well. */
export class Packer {
  readonly #codec: PageCodec;
  /** New values, to be packed by and by. */
  readonly #waiting = new Set<AnyPacked>();
  #next: Iterator<AnyPacked> | undefined;
  /** Texts of the page that is being filled; their values stay as they are until it is full. */
  readonly #open = new Map<AnyPacked, string>();
  #openLength = 0;
  #live = 0;
  #dead = 0;

  constructor(codec: PageCodec) {
    this.#codec = codec;
  }

  /** A value has come to stay. */
  add(packed: AnyPacked): void {
    if (packed.page === undefined) this.#waiting.add(packed);
  }

  /** A value has gone. Whoever still holds it can read it. */
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

  /** Packs those of all living values again that stand in pages with more dead ones than living. */
  repack(living: Iterable<AnyPacked>): void {
    for (const packed of living) {
      const { page } = packed;
      if (page !== undefined && page.live * 2 < page.size) this.#waiting.add(packed);
    }
  }

  /** Packs one waiting value. @returns false when none waits */
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

  /** How many texts are in pages, how many of them are nobody's, and how many values are not in pages yet. */
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
    // Nobody holds it any more.
    if (page.live === 0) this.#dead -= page.size;
  }
}

/** Undefined where a value cannot be written as JSON, as plugins may give such: it stays as it is. */
function textOf(packed: AnyPacked): string | undefined {
  try {
    return packed.text;
  } catch {
    return undefined;
  }
}
