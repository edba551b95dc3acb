/** One text for all that say the same: parsed JSON has one for each place, and the name of a Service stands in its labels, selector and accounts as well. */
import type { Labels } from './labels.ts';

/** Texts of one object that are kept, by what they say. */
export class SameTexts {
  readonly #texts: string[];

  /** @param texts those that are kept anyway */
  constructor(...texts: readonly string[]) {
    this.#texts = [...texts];
  }

  inLabels(labels: Labels): Labels {
    return Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, this.#same(value)]));
  }

  inList(list: readonly string[]): readonly string[] {
    return list.map((text) => this.#same(text));
  }

  /** There are few, so looking through them is the quickest. */
  #same(text: string): string {
    const known = this.#texts.find((one) => one === text);
    if (known !== undefined) return known;
    this.#texts.push(text);
    return text;
  }
}
