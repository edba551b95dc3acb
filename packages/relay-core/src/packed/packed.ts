/** A value that can be put away: an object while it is new, later one of many texts in a page outside the heap. */
import type { Page } from './page.ts';

/** "It is in no page", where its place in a page is expected. */
const HOT = -1;

/**
 * Holds one value of plain JSON data, which must never change. Whoever asks gets it, parsed anew where it has been put away: keep what you need of it, not
 * it. To the graph two are equal when their values are.
 */
export class Packed<V> {
  #held: V | Page;
  #nth: number = HOT;

  constructor(value: V) {
    this.#held = value;
  }

  get value(): V {
    return this.#nth === HOT ? (this.#held as V) : (JSON.parse(this.text) as V);
  }

  /** The value as JSON. */
  get text(): string {
    return this.#nth === HOT ? JSON.stringify(this.#held) : (this.#held as Page).textOf(this.#nth);
  }

  /** Where it was put away. */
  get page(): Page | undefined {
    return this.#nth === HOT ? undefined : (this.#held as Page);
  }

  /** Whether both have the same text. Texts of different lengths are told apart without unpacking any. */
  sameText(other: Packed<unknown>): boolean {
    const mine = this.page === undefined ? this.text : undefined;
    const others = other.page === undefined ? other.text : undefined;
    if ((mine?.length ?? this.#lengthInPage()) !== (others?.length ?? other.#lengthInPage())) return false;
    return (mine ?? this.text) === (others ?? other.text);
  }

  /** From now on it is the nth text of a page. */
  putAway(page: Page, nth: number): void {
    this.#held = page;
    this.#nth = nth;
  }

  toJSON(): V {
    return this.value;
  }

  #lengthInPage(): number {
    return (this.#held as Page).lengthOf(this.#nth);
  }
}
