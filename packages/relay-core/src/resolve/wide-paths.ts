/** Finds among many matches those whose paths may be wide enough for another's, without comparing each with each. */
import type { RouteMatchView, StringMatchView } from '../plugin/views/mod.ts';

/** Matches in a list, by what their paths are or begin with. */
export class WidePaths {
  /** Positions of exact paths and prefixes in which case counts. */
  readonly #byText = new Map<string, number[]>();
  /** The lengths of those texts. */
  readonly #lengths = new Set<number>();
  /** Positions of all others: they may be as wide as any. */
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

  /** In the list's order: at least every match whose path takes all that this one's does. */
  candidates({ uri }: RouteMatchView): readonly number[] {
    const text = literalOf(uri);
    if (text === undefined) return this.#others;
    const found = [...this.#others];
    for (const length of this.#lengths)
      if (length <= text.length) found.push(...(this.#byText.get(text.slice(0, length)) ?? []));
    return found.sort((a, b) => a - b);
  }
}

/** What every path that fits is, or begins with; undefined where that is not told by a plain text. */
function literalOf(uri: StringMatchView | undefined): string | undefined {
  if (uri === undefined) return undefined;
  if ('exact' in uri) return uri.exact;
  return 'prefix' in uri ? uri.prefix : undefined;
}
