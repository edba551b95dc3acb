/** A value that can be packed: an object while it is new, later one of many texts in a page outside the heap. */
import { textHash } from '../text/text-hash.ts';
import type { Page } from './page.ts';

/** Marks a value that is in no page; otherwise the field holds its position in the page. */
const HOT = -1;

/**
 * Holds one value of plain JSON data, which must never change. Each read of a packed value parses it: keep the parts
 * you need, not the value.
 * `about` is never packed: it is read often, and shared by many. The graph treats two as equal if their values and
 * their `about` are equal.
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

  /**
   * The value as JSON.
   * @throws TypeError if a value that was never packed cannot be serialized
   */
  get text(): string {
    return this.#nth === HOT ? JSON.stringify(this.#held) : (this.#held as Page).textOf(this.#nth);
  }

  /** The page that contains it. */
  get page(): Page | undefined {
    return this.#nth === HOT ? undefined : (this.#held as Page);
  }

  /**
   * Whether both have the same text. Different lengths or hashes are detected without unpacking. A value that cannot be
   * serialized as JSON has no text, and equals no other.
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

  /** Moves the value into a page, as its nth text. */
  putAway(page: Page, nth: number): void {
    this.#held = page;
    this.#nth = nth;
  }

  toJSON(): V {
    return this.value;
  }

  // Not accessors: each of very many values would then have its own field.
  /** The text of a value that is in no page, serialized on each call. */
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

/** A packed value of any type. */
export type AnyPacked = Packed<unknown, unknown>;
