/** The contributions to one group, in order. */
import { compareKeys, type Key } from './key.ts';

/** One part that one item contributes to one group. `nth` counts the parts of the same item in the same group. */
export interface Contribution<Part> {
  readonly group: Key;
  readonly item: Key;
  readonly nth: number;
  readonly part: Part;
}

/** Up to this many edits are made in place; more are cheaper by sorting everything once. */
const SMALL_COUNT = 8;

export type CompareContributions<Part> = (a: Contribution<Part>, b: Contribution<Part>) => number;

/** The order of groups with this comparison of parts; one serves all groups of a node. */
export function orderOf<Part>(compare: ((a: Part, b: Part) => number) | undefined): CompareContributions<Part> {
  return (a, b) => compare?.(a.part, b.part) || compareKeys(a.item, b.item) || a.nth - b.nth;
}

/** Sorted by the group's own comparison, then by item key, then by the order in which the item gave them: a total order. */
export class SortedGroup<Part> {
  readonly #compare: CompareContributions<Part>;
  #entries: Contribution<Part>[] = [];
  #parts: readonly Part[] = [];
  /** False after the comparison threw: the entries are then complete, but in any order. */
  #sorted = true;

  constructor(compare: CompareContributions<Part>) {
    this.#compare = compare;
  }

  /** The keys of the contributing items, in order; an item with several parts here comes several times. */
  *items(): Iterable<Key> {
    for (const entry of this.#entries) yield entry.item;
  }

  /**
   * Takes out and adds contributions. Lists handed out before stay as they are.
   * @returns the parts in order
   * @throws what the comparison throws; the edits are kept, and the next call sorts again
   */
  edit(removed: readonly Contribution<Part>[], added: readonly Contribution<Part>[]): readonly Part[] {
    if (this.#entries.length === 0 && added.length === 1) this.#begin(added[0] as Contribution<Part>);
    else if (this.#sorted && removed.length + added.length <= SMALL_COUNT) this.#splice(removed, added);
    else this.#rebuild(removed, added);
    return this.#parts;
  }

  /** Most groups have a single part: lists without room to spare. */
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

  /** Where an entry of this group stands, also when the comparison contradicts itself or throws. */
  #find(entry: Contribution<Part>): number {
    try {
      const at = this.#positionOf(entry);
      if (this.#entries[at] === entry) return at;
    } catch {
      // Finding by identity needs no comparison; inserting will report the throw if there is anything to insert.
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
