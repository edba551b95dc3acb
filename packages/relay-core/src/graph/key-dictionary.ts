/** Parts that many keys have, as numbers: clusters, namespaces, kinds. */
import { textHash } from '../text/text-hash.ts';

/** So many there can be. Further ones are written out. */
export const MAX_WORDS: number = 2 ** 15;
/** A part becomes a word when it comes for the so-manieth time, so that names of single things hardly ever do. */
const OFTEN = 12;
/** Parts that are being counted at a time: another of the same place takes it over, and counting begins anew. */
const COUNTED = 4_096;

/** One for a graph. What has become a word remains one: they are few, and never more than {@link MAX_WORDS}. */
export class KeyDictionary {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #hashes = new Int32Array(COUNTED);
  readonly #counts = new Uint8Array(COUNTED);

  /** The number of a part; undefined where it is to be written out. */
  numberOf(part: string): number | undefined {
    const known = this.#numbers.get(part);
    if (known !== undefined || this.#words.length === MAX_WORDS || !this.#isFrequent(part)) return known;
    const number = this.#words.length;
    // Cut out of a key it would keep all of that.
    const word = part.split('').join('');
    this.#words.push(word);
    this.#numbers.set(word, number);
    return number;
  }

  /** The part that has a number. */
  word(number: number): string {
    return this.#words[number] as string;
  }

  #isFrequent(part: string): boolean {
    const hash = textHash(part);
    const at = (hash >>> 0) % COUNTED;
    if (this.#hashes[at] !== hash) {
      this.#hashes[at] = hash;
      this.#counts[at] = 0;
    }
    this.#counts[at] = (this.#counts[at] as number) + 1;
    return this.#counts[at] === OFTEN;
  }
}
