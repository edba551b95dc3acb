/** One text for all that say the same: parsed JSON has one for each place, and the name of a Service stands in its labels, selector and accounts as well. */
import type { Labels } from './labels.ts';

const NO_LABELS: Labels = Object.freeze({});
const NO_TEXTS: readonly string[] = Object.freeze([]);

/** Texts of one object that are kept, by what they say. */
export class SameTexts {
  readonly #texts: string[];

  /** @param texts those that are kept anyway */
  constructor(...texts: readonly string[]) {
    this.#texts = [...texts];
  }

  inLabels(labels: Labels): Labels {
    const names = Object.keys(labels);
    if (names.length === 0) return NO_LABELS;
    // A copy takes what its labels take; put together one by one they would have room to spare.
    const same = { ...labels };
    for (const name of names) same[name] = this.#same(labels[name] as string);
    return same;
  }

  inList(list: readonly string[]): readonly string[] {
    return list.length === 0 ? NO_TEXTS : list.map((text) => this.#same(text));
  }

  /** There are few, so looking through them is the quickest. */
  #same(text: string): string {
    const known = this.#texts.find((one) => one === text);
    if (known !== undefined) return known;
    this.#texts.push(text);
    return text;
  }
}
