/**
 * Shares one string among equal ones. Parsed JSON has one for each place, and the name of a Service also occurs in its
 * labels, selector and accounts.
 */
import type { Labels } from '../../input/labels.ts';

const NO_LABELS: Labels = Object.freeze({});
const NO_TEXTS: readonly string[] = Object.freeze([]);

/** The strings of one object that are stored, by content. */
export class SameTexts {
  readonly #texts: string[];

  /** @param texts strings that are stored anyway */
  constructor(...texts: readonly string[]) {
    this.#texts = [...texts];
  }

  inLabels(labels: Labels): Labels {
    const names = Object.keys(labels);
    if (names.length === 0) return NO_LABELS;
    // A copy takes as much memory as its labels need; adding them one by one would leave spare capacity.
    const same = { ...labels };
    for (const name of names) same[name] = this.#same(labels[name] as string);
    return same;
  }

  inList(list: readonly string[]): readonly string[] {
    return list.length === 0 ? NO_TEXTS : list.map((text) => this.#same(text));
  }

  /** There are few strings, so a linear search is fastest. */
  #same(text: string): string {
    const known = this.#texts.find((one) => one === text);
    if (known !== undefined) return known;
    this.#texts.push(text);
    return text;
  }
}
