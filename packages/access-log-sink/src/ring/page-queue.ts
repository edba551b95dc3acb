/** The pages of one source, oldest first: removing the oldest takes constant time. */
import type { Page } from './page.ts';

/** Free slots at the start before the remaining pages move up. */
const GONE = 64;

export class PageQueue implements Iterable<Page> {
  #pages: (Page | undefined)[] = [];
  #first = 0;

  get size(): number {
    return this.#pages.length - this.#first;
  }

  get oldest(): Page | undefined {
    return this.#pages[this.#first];
  }

  add(page: Page): void {
    this.#pages.push(page);
  }

  /** Removes the oldest page except `spared`. @returns undefined if no other page exists */
  take(spared: Page): Page | undefined {
    const second = this.#pages[this.#first + 1];
    if (this.oldest === spared) {
      if (second === undefined) return undefined;
      this.#pages[this.#first] = second;
      this.#pages[this.#first + 1] = spared;
    }
    const page = this.oldest;
    this.#pages[this.#first] = undefined;
    if (page !== undefined) this.#first++;
    if (this.#first > GONE && this.#first * 2 > this.#pages.length) {
      this.#pages = this.#pages.slice(this.#first);
      this.#first = 0;
    }
    return page;
  }

  *[Symbol.iterator](): Generator<Page> {
    for (let at = this.#first; at < this.#pages.length; at++) yield this.#pages[at] as Page;
  }
}
