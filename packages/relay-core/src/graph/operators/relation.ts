/** relation: pairs of a match without keys or values, for lookup from an item of either side. */

import type { Key } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { compareKeys } from '../compare-keys.ts';
import { FirstMembers } from '../indexes/first-members.ts';
import { ReadableIndex, type ReadableIndexOptions } from '../indexes/readable-index.ts';
import { PairTable } from '../rows/pair-table.ts';
import { NO_ROW, type Rows } from '../rows/rows.ts';
import type { CollectionStore } from '../storage/collection-store.ts';
import type { PairKeeper } from './match.ts';

export interface RelationOptions<Left> extends ReadableIndexOptions {
  readonly left: CollectionStore<Left>;
  readonly right: CollectionStore<unknown>;
  /** Applied to every list of entries before it is returned. */
  readonly prepare: <T>(value: T) => T;
}

export class RelationPairs<Left> implements PairKeeper {
  readonly pairs: PairTable = new PairTable();
  /** By right item: its related left items. */
  readonly lefts: RelationSide<Left>;
  /** By left item: its related right items. */
  readonly rights: RelationSide<true>;

  constructor({ name, rank, edges, left, right, prepare }: RelationOptions<Left>) {
    this.lefts = new RelationSide({
      name: `${name}/lefts`,
      rank,
      edges,
      prepare,
      buckets: right.rows,
      members: left.rows,
      membersOf: (row) => this.pairs.ofRight(row),
      countOf: (row) => this.pairs.countOfRight(row),
      now: (row) => left.at(row) as Left,
      published: (key) => left.get(key) as Left,
    });
    this.rights = new RelationSide({
      name: `${name}/rights`,
      rank,
      edges,
      prepare,
      buckets: left.rows,
      members: right.rows,
      membersOf: (row) => this.pairs.ofLeft(row),
      countOf: (row) => this.pairs.countOfLeft(row),
      now: () => true,
      published: () => true,
    });
  }

  begin(): void {
    this.lefts.begin();
    this.rights.begin();
  }

  add(left: number, right: number): void {
    this.pairs.add(left, right);
    this.lefts.toggle(right, left, 1);
    this.rights.toggle(left, right, 1);
  }

  remove(left: number, right: number): void {
    this.pairs.delete(left, right);
    this.lefts.toggle(right, left, -1);
    this.rights.toggle(left, right, -1);
  }

  revise(_left: number, right: number): void {
    this.lefts.touch(right);
  }

  *converge(): Generator<void, void> {
    yield* this.lefts.wakeTouched();
    yield* this.rights.wakeTouched();
  }

  publish(): void {
    this.lefts.publish();
    this.rights.publish();
  }

  explain(): Explanation | undefined {
    return undefined;
  }

  get sizes(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      Object.entries({ lefts: this.lefts.sizes, rights: this.rights.sizes }).flatMap(([side, sizes]) =>
        Object.entries(sizes).map(([what, size]) => [`${what} of ${side}`, size]),
      ),
    );
  }
}

interface RelationSideOptions<V> extends ReadableIndexOptions {
  /** Rows of the items whose keys are the buckets. */
  readonly buckets: Rows;
  /** Rows of the members. */
  readonly members: Rows;
  membersOf(bucket: number): readonly number[];
  countOf(bucket: number): number;
  /** The value of a member in the running commit. */
  now(row: number): V;
  /** The value of a member as of the last finished commit. */
  published(key: Key): V;
  readonly prepare: <T>(value: T) => T;
}

const NONE: readonly never[] = Object.freeze([]);

/** A bucket with up to this many members is sorted completely when some are read. */
const SMALL = 256;

/** One side of a relation. A pair is added or removed at most once per commit. */
export class RelationSide<V> extends ReadableIndex<V> {
  readonly #options: RelationSideOptions<V>;
  /** Members added or removed in the running commit, as pairs of bucket and member. */
  readonly #toggled: number[] = [];
  /** Buckets changed in the running commit, with the change of their size. Empty if the index has no reader. */
  readonly #touched = new Map<number, number>();
  readonly #beginnings: FirstMembers;
  #notesTouched = false;

  constructor(options: RelationSideOptions<V>) {
    super(options);
    this.#options = options;
    this.#beginnings = new FirstMembers((row) => options.members.key(row));
  }

  entriesOf(bucket: Key): ReadonlyArray<readonly [Key, V]> {
    const { published, prepare } = this.#options;
    const keys = this.#publishedMembers(bucket).sort(compareKeys);
    return prepare(keys.map((key) => [key, published(key)] as const));
  }

  countOf(bucket: Key): number {
    return this.#publishedMembers(bucket).length;
  }

  entriesNow(bucket: Key): ReadonlyArray<readonly [Key, V]> {
    const { members, now, prepare } = this.#options;
    const rows = this.#membersNow(bucket);
    if (rows.length === 0) return NONE;
    const entries = rows.map((row) => [members.key(row), now(row)] as const);
    return prepare(entries.sort(([a], [b]) => compareKeys(a, b)));
  }

  override firstNow(bucket: Key, max: number): ReadonlyArray<readonly [Key, V]> {
    const { buckets, members, now, countOf, membersOf, prepare } = this.#options;
    const at = buckets.of(bucket);
    if (at === NO_ROW || countOf(at) <= SMALL) return super.firstNow(bucket, max);
    const rows = this.#beginnings.of(at, max, () => membersOf(at));
    return prepare(rows.map((row) => [members.key(row), now(row)] as const));
  }

  countNow(bucket: Key): number {
    const row = this.#options.buckets.of(bucket);
    return row === NO_ROW ? 0 : this.#options.countOf(row);
  }

  begin(): void {
    this.#notesTouched = this.isRead;
  }

  /** A member was added (1) or removed (-1). */
  toggle(bucket: number, member: number, by: 1 | -1): void {
    this.#toggled.push(bucket, member);
    if (by > 0) this.#beginnings.add(bucket, member);
    else this.#beginnings.remove(bucket, member);
    if (this.#notesTouched) this.#touched.set(bucket, (this.#touched.get(bucket) ?? 0) + by);
  }

  /** The value of a member has changed. */
  touch(bucket: number): void {
    if (this.#notesTouched && !this.#touched.has(bucket)) this.#touched.set(bucket, 0);
  }

  *wakeTouched(): Generator<void, void> {
    const { buckets } = this.#options;
    for (const [row, more] of this.#touched) {
      const bucket = buckets.key(row);
      this.wake(bucket, this.countNow(bucket) - more, buckets, row);
      yield;
    }
  }

  publish(): void {
    this.#toggled.length = 0;
    this.#touched.clear();
  }

  get sizes(): Readonly<Record<string, number>> {
    return { ...this.readerSizes, beginnings: this.#beginnings.size };
  }

  #membersNow(bucket: Key): readonly number[] {
    const row = this.#options.buckets.of(bucket);
    return row === NO_ROW ? NONE : this.#options.membersOf(row);
  }

  /** Members as of the last finished commit: current members without the added ones, plus the removed ones. */
  #publishedMembers(bucket: Key): Key[] {
    const { buckets, members } = this.#options;
    const row = buckets.of(bucket);
    const rows = new Set(this.#membersNow(bucket));
    for (let at = 0; at < this.#toggled.length; at += 2) {
      if (this.#toggled[at] !== row) continue;
      const member = this.#toggled[at + 1] as number;
      if (!rows.delete(member)) rows.add(member);
    }
    return Array.from(rows, (one) => members.key(one));
  }
}
