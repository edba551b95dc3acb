/** group: contributions of many items to one key, sorted, and updated by the differences. */
import type { Group, Key } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { type ChangesByCollection, type Counters, type GraphNode, newCounters } from '../commit/node.ts';
import { deepEqual } from '../deep-equal.ts';
import type { NodeFaults } from '../faults/quarantine.ts';
import { pairsOf } from '../plain-output.ts';
import { membership } from '../rows/key-list.ts';
import { countInColumn, setInColumn } from '../rows/rows.ts';
import type { CollectionStore } from '../storage/collection-store.ts';
import { type CompareContributions, type Contribution, orderOf, SortedGroup } from './sorted-group.ts';

const NOTHING: readonly never[] = Object.freeze([]);

export interface GroupOptions<In, Part> {
  readonly store: CollectionStore<Group<Part>>;
  readonly input: CollectionStore<In>;
  readonly into: (value: In, key: Key) => Iterable<readonly [Key, Part]>;
  readonly compare: ((a: Part, b: Part) => number) | undefined;
  readonly prepare: <T>(value: T) => T;
  /** Items whose `into` threw: their last valid contributions stay. */
  readonly faults: NodeFaults;
  /** Groups that `compare` could not sort: their last valid state stays. */
  readonly unsorted: NodeFaults;
}

interface Edits<Part> {
  /** Removed contributions, if any. */
  removed?: Contribution<Part>[];
  readonly added: Contribution<Part>[];
}

export class GroupNode<In, Part> implements GraphNode {
  readonly name: string;
  readonly counters: Counters = newCounters();
  readonly #options: GroupOptions<In, Part>;
  readonly #order: CompareContributions<Part>;
  readonly #groups = new Map<Key, SortedGroup<Part>>();
  /** By row of the item: its contributions. */
  readonly #contributions: Contributed<Part>[] = [];
  /** Group key -> edits of the running commit. */
  readonly #edits = new Map<Key, Edits<Part>>();
  #next = 0;
  #cursor: Iterator<Key> | undefined;

  constructor(options: GroupOptions<In, Part>) {
    this.name = options.store.name;
    this.#options = options;
    this.#order = orderOf(options.compare);
  }

  begin(): boolean {
    this.#next = 0;
    this.#cursor = undefined;
    return this.#options.input.changes.length > 0;
  }

  step(): boolean {
    const { keys, rows, after } = this.#options.input.changes;
    const at = this.#next;
    if (at < keys.length) {
      this.#next += 1;
      this.#contribute(keys[at] as Key, rows[at] as number, after[at]);
      return true;
    }
    this.#cursor ??= this.#edits.keys();
    const edited = this.#cursor.next();
    if (edited.done) return false;
    this.#apply(edited.value, this.#edits.get(edited.value) as Edits<Part>);
    return true;
  }

  publish(into: ChangesByCollection): void {
    this.#edits.clear();
    this.#cursor = undefined;
    const { store } = this.#options;
    if (store.changes.length > 0) into.set(store, store.publish());
  }

  /** Reads are the contributing items. */
  explain(key: Key): Explanation | undefined {
    const { store, input } = this.#options;
    const value = store.get(key);
    if (value === undefined) return undefined;
    const items = new Set(this.#groups.get(key)?.items());
    const reads = [...items].map((item) => ({ collection: input.name, key: item, via: 'get' as const }));
    return { node: this.name, key, input: input.name, reads, outputs: [[key, value]] };
  }

  get sizes(): Readonly<Record<string, number>> {
    const { store, faults, unsorted } = this.#options;
    return {
      ...store.sizes,
      groups: this.#groups.size,
      contributions: countInColumn<Contributed<Part>>(this.#contributions, NOTHING),
      dirty: this.#edits.size,
      faults: faults.size + unsorted.size,
    };
  }

  #contribute(item: Key, row: number, value: In | undefined): void {
    const before = listOf(this.#contributions[row] ?? NOTHING);
    let after: readonly Contribution<Part>[] = NOTHING;
    if (value !== undefined) {
      this.counters.recomputed += 1;
      try {
        after = keepEqual(before, contributionsOf(this.name, item, this.#options.into(value, item)));
      } catch (error) {
        this.#options.faults.set(item, error);
        return;
      }
    }
    this.#options.faults.clear(item);
    const edited = this.#edit(before, after);
    if (!edited && value !== undefined) this.counters.cutOff += 1;
    if (after.length > 0 || before.length > 0)
      setInColumn<Contributed<Part>>(this.#contributions, row, bare(after), NOTHING);
  }

  /** Records the difference between two contribution lists of one item. @returns whether they differ */
  #edit(before: readonly Contribution<Part>[], after: readonly Contribution<Part>[]): boolean {
    let edited = false;
    const stays = membership(after);
    for (const contribution of before) {
      if (stays.has(contribution)) continue;
      const edits = this.#editsOf(contribution.group);
      edits.removed ??= [];
      edits.removed.push(contribution);
      edited = true;
    }
    const was = membership(before);
    for (const contribution of after) {
      if (was.has(contribution)) continue;
      this.#editsOf(contribution.group).added.push(this.#options.prepare(contribution));
      edited = true;
    }
    return edited;
  }

  #editsOf(group: Key): Edits<Part> {
    let edits = this.#edits.get(group);
    if (edits === undefined) {
      edits = { added: [] };
      this.#edits.set(group, edits);
    }
    return edits;
  }

  #apply(key: Key, edits: Edits<Part>): void {
    const { store, prepare, unsorted } = this.#options;
    const group = this.#groups.get(key) ?? new SortedGroup(this.#order);
    const before = store.now(key);
    let value: Group<Part> | undefined;
    let same: boolean;
    try {
      const parts = group.edit(edits.removed ?? NOTHING, edits.added);
      value = parts.length > 0 ? prepare(parts) : undefined;
      same = deepEqual(before, value);
    } catch (error) {
      this.#groups.set(key, group);
      unsorted.set(key, error);
      return;
    }
    unsorted.clear(key);
    if (value === undefined) this.#groups.delete(key);
    else this.#groups.set(key, group);
    if (same) return;
    store.put(key, before, value);
    this.counters.changed += 1;
  }
}

/** Contributions of an item. A single one, the common case, is stored bare. */
type Contributed<Part> = readonly Contribution<Part>[] | Contribution<Part>;

function listOf<Part>(contributed: Contributed<Part>): readonly Contribution<Part>[] {
  return Array.isArray(contributed) ? contributed : [contributed as Contribution<Part>];
}

function bare<Part>(list: readonly Contribution<Part>[]): Contributed<Part> {
  return list.length === 0 ? NOTHING : list.length === 1 ? (list[0] as Contribution<Part>) : list;
}

function contributionsOf<Part>(
  node: string,
  item: Key,
  given: Iterable<readonly [Key, Part]>,
): readonly Contribution<Part>[] {
  const pairs = pairsOf(given, `grouping of ${node}`);
  if (pairs.length < 2) return pairs.map(([group, part]) => ({ group, item, nth: 0, part }));
  const counts = new Map<Key, number>();
  return pairs.map(([group, part]) => {
    const nth = counts.get(group) ?? 0;
    counts.set(group, nth + 1);
    return { group, item, nth, part };
  });
}

/** The new contributions. An unchanged contribution keeps its object identity, so it is not moved. */
function keepEqual<Part>(
  before: readonly Contribution<Part>[],
  after: readonly Contribution<Part>[],
): readonly Contribution<Part>[] {
  if (before.length === 0) return after;
  const old = new Map<Key, Contribution<Part>[]>();
  for (const contribution of before) {
    const known = old.get(contribution.group);
    if (known === undefined) old.set(contribution.group, [contribution]);
    else known.push(contribution);
  }
  return after.map((contribution) => {
    const same = old.get(contribution.group)?.[contribution.nth];
    return same !== undefined && deepEqual(same.part, contribution.part) ? same : contribution;
  });
}
