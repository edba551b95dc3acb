/** Finds, among many matches, those whose paths may cover another's, without comparing each with each. */
import type { RouteMatchView, StringMatchView } from '@meshrelay/plugin';

/** Matches in a list, by their exact path or prefix. */
export class WidePaths {
  /** Positions of case-sensitive exact paths and prefixes. */
  readonly #byText = new Map<string, number[]>();
  /** The lengths of those texts. */
  readonly #lengths = new Set<number>();
  /** Positions of all others: they may cover any path. */
  readonly #others: number[] = [];

  constructor(matches: readonly RouteMatchView[]) {
    for (const [position, { uri }] of matches.entries()) {
      const text = uri?.ignoreCase === false ? literalOf(uri) : undefined;
      if (text === undefined) {
        this.#others.push(position);
        continue;
      }
      const same = this.#byText.get(text);
      if (same === undefined) this.#byText.set(text, [position]);
      else same.push(position);
      this.#lengths.add(text.length);
    }
  }

  /** In the order of the list: at least every match whose path covers this one's. */
  candidates({ uri }: RouteMatchView): readonly number[] {
    const text = literalOf(uri);
    if (text === undefined) return this.#others;
    const found = [...this.#others];
    for (const length of this.#lengths)
      if (length <= text.length) found.push(...(this.#byText.get(text.slice(0, length)) ?? []));
    return found.sort((a, b) => a - b);
  }
}

/** The literal path or prefix of every matching path; undefined without a literal. */
function literalOf(uri: StringMatchView | undefined): string | undefined {
  if (uri === undefined) return undefined;
  if ('exact' in uri) return uri.exact;
  return 'prefix' in uri ? uri.prefix : undefined;
}
