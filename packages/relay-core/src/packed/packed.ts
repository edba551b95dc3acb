/** A value that can be put away: an object while it is new, later one of many texts in a page outside the heap. */
import { textHash } from '../text/text-hash.ts';
import type { Page } from './page.ts';

/** "It is in no page", where its place in a page is expected. */
const HOT = -1;

/**
 * Holds one value of plain JSON data, which must never change. Whoever asks gets it, parsed anew where it has been put away: keep what you need of it, not
 * it. What it is about is never put away: for what is asked for often, and shared by many. To the graph two are equal when their values are, and what they are about.
 */
export class Packed<V, About = undefined> {
  readonly about: About;
  #held: V | Page;
  #nth: number = HOT;

  constructor(value: V, about?: About) {
    this.about = about as About;
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
  sameText(other: AnyPacked): boolean {
    try {
      const [mine, unmanaged] = [Packed.#hotText(this), Packed.#hotText(other)];
      return (
        Packed.#lengthOf(this, mine) === Packed.#lengthOf(other, unmanaged) &&
        Packed.#hashOf(this, mine) === Packed.#hashOf(other, unmanaged) &&
        (mine ?? this.text) === (unmanaged ?? other.text)
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
  /** The text of one that is in no page, which is written each time somebody asks. */
  static #hotText(packed: AnyPacked): string | undefined {
    return packed.#nth === HOT ? packed.text : undefined;
  }

  static #lengthOf(packed: AnyPacked, hotText: string | undefined): number {
    return hotText === undefined ? (packed.#held as Page).lengthOf(packed.#nth) : hotText.length;
  }

  static #hashOf(packed: AnyPacked, hotText: string | undefined): number {
    return hotText === undefined ? (packed.#held as Page).hashOf(packed.#nth) : textHash(hotText);
  }
}

/** Whatever it holds. */
export type AnyPacked = Packed<unknown, unknown>;
