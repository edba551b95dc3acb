/** Contributions to one group, in order. */

import type { Key } from '@meshrelay/plugin';
import { compareKeys } from '../compare-keys.ts';

/** One part that an item contributes to a group. `nth` numbers the parts of the same item in the same group. */
export interface Contribution<Part> {
  readonly group: Key;
  readonly item: Key;
  readonly nth: number;
  readonly part: Part;
}

/** Up to this many edits are made in place; for more, sorting everything once is cheaper. */
const SMALL_COUNT = 8;

export type CompareContributions<Part> = (a: Contribution<Part>, b: Contribution<Part>) => number;

/** The order of contributions for a comparison of parts; all groups of a node share it. */
export function orderOf<Part>(compare: ((a: Part, b: Part) => number) | undefined): CompareContributions<Part> {
  return (a, b) => compare?.(a.part, b.part) || compareKeys(a.item, b.item) || a.nth - b.nth;
}

/** Sorted by the group's comparison, then by item key, then as the item returned them: a total order. */
export class SortedGroup<Part> {
  readonly #compare: CompareContributions<Part>;
  #entries: Contribution<Part>[] = [];
  #parts: readonly Part[] = [];
  /** False after the comparison threw: the entries are complete, but unordered. */
  #sorted = true;

  constructor(compare: CompareContributions<Part>) {
    this.#compare = compare;
  }

  /** The keys of the contributing items, in order; repeated if an item contributes several parts. */
  *items(): Iterable<Key> {
    for (const entry of this.#entries) yield entry.item;
  }

  /**
   * Removes and adds contributions. Lists returned before do not change.
   * @returns the parts in order
   * @throws errors of the comparison; the edits remain, and the next call sorts again
   */
  edit(removed: readonly Contribution<Part>[], added: readonly Contribution<Part>[]): readonly Part[] {
    if (this.#entries.length === 0 && added.length === 1) this.#begin(added[0] as Contribution<Part>);
    else if (this.#sorted && removed.length + added.length <= SMALL_COUNT) this.#splice(removed, added);
    else this.#rebuild(removed, added);
    return this.#parts;
  }

  /** Most groups have a single part: these lists have no spare capacity. */
  #begin(entry: Contribution<Part>): void {
    this.#entries = [entry];
    this.#parts = [entry.part];
    this.#sorted = true;
  }

  #rebuild(removed: readonly Contribution<Part>[], added: readonly Contribution<Part>[]): void {
    const gone = new Set(removed);
    this.#entries = this.#entries.filter((entry) => !gone.has(entry)).concat(added);
    this.#sorted = false;
    this.#entries = this.#entries.toSorted(this.#compare);
    this.#sorted = true;
    this.#parts = this.#entries.map((entry) => entry.part);
  }

  #splice(removed: readonly Contribution<Part>[], added: readonly Contribution<Part>[]): void {
    const entries = this.#entries;
    const parts = this.#parts.slice();
    for (const entry of removed) {
      const at = this.#find(entry);
      entries.splice(at, 1);
      parts.splice(at, 1);
    }
    for (const [done, entry] of added.entries()) {
      try {
        const at = this.#positionOf(entry);
        entries.splice(at, 0, entry);
        parts.splice(at, 0, entry.part);
      } catch (error) {
        entries.push(...added.slice(done));
        this.#sorted = false;
        throw error;
      }
    }
    this.#parts = parts;
  }

  /** The position of an entry of this group, even if the comparison is inconsistent or throws. */
  #find(entry: Contribution<Part>): number {
    try {
      const at = this.#positionOf(entry);
      if (this.#entries[at] === entry) return at;
    } catch {
      // Search by identity, which needs no comparison. If there is anything to insert, the insertion reports the error.
    }
    return this.#entries.indexOf(entry);
  }

  #positionOf(entry: Contribution<Part>): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#entries[middle] as Contribution<Part>, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
