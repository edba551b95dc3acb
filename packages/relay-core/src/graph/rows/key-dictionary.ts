/** Numbers for parts that many keys share: clusters, namespaces, kinds. */
import { textHash } from '../../text/text-hash.ts';

/** Maximum number of words. Further parts are written out. */
export const MAX_WORDS: number = 2 ** 15;
/** A part becomes a word when it occurs this many times, so names of single objects hardly ever do. */
const OFTEN = 12;
/** Number of counters. A different part with the same slot takes over the counter, which restarts. */
const COUNTED = 4_096;

/** One per graph. A word is permanent: there are never more than {@link MAX_WORDS}. */
export class KeyDictionary {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  /** Created with the first part: most graphs live too briefly to store keys as bytes. */
  #counters: { readonly hashes: Int32Array; readonly counts: Uint8Array } | undefined;

  /** The number of a part; undefined if it must be written out. */
  numberOf(part: string): number | undefined {
    const known = this.#numbers.get(part);
    if (known !== undefined || this.#words.length === MAX_WORDS || !this.#isFrequent(part)) return known;
    const number = this.#words.length;
    // A substring would keep the whole key in memory.
    const word = part.split('').join('');
    this.#words.push(word);
    this.#numbers.set(word, number);
    return number;
  }

  /** The part with a number. */
  word(number: number): string {
    return this.#words[number] as string;
  }

  #isFrequent(part: string): boolean {
    const hash = textHash(part);
    const at = (hash >>> 0) % COUNTED;
    this.#counters ??= { hashes: new Int32Array(COUNTED), counts: new Uint8Array(COUNTED) };
    const { hashes, counts } = this.#counters;
    if (hashes[at] !== hash) {
      hashes[at] = hash;
      counts[at] = 0;
    }
    counts[at] = (counts[at] as number) + 1;
    return counts[at] === OFTEN;
  }
}
