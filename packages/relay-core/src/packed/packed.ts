/** A value that can be put away: an object while it is new, later one of many texts in a page outside the heap. */
import { textHash } from '../text/text-hash.ts';
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

  /** The value as JSON. @throws TypeError where a value that was never put away cannot be written so */
  get text(): string {
    return this.#nth === HOT ? JSON.stringify(this.#held) : (this.#held as Page).textOf(this.#nth);
  }

  /** Where it was put away. */
  get page(): Page | undefined {
    return this.#nth === HOT ? undefined : (this.#held as Page);
  }

  /**
   * Whether both have the same text. Texts of different lengths or hashes are told apart without unpacking any; what cannot be written as JSON has no text, and
   * nobody's is the same.
   */
  sameText(other: Packed<unknown>): boolean {
    try {
      return (
        Packed.#lengthOf(this) === Packed.#lengthOf(other) &&
        Packed.#hashOf(this) === Packed.#hashOf(other) &&
        this.text === other.text
      );
    } catch {
      return false;
    }
  }

  /** From now on it is the nth text of a page. */
  putAway(page: Page, nth: number): void {
    this.#held = page;
    this.#nth = nth;
  }

  toJSON(): V {
    return this.value;
  }

  // Not accessors, for which each of very many values would have a field of its own.
  static #lengthOf(packed: Packed<unknown>): number {
    return packed.#nth === HOT ? packed.text.length : (packed.#held as Page).lengthOf(packed.#nth);
  }

  static #hashOf(packed: Packed<unknown>): number {
    return packed.#nth === HOT ? textHash(packed.text) : (packed.#held as Page).hashOf(packed.#nth);
  }
}
