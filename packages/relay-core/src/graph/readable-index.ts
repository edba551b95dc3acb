/** What transforms look into by bucket, with who looked: kept by nodes, which wake them. */
import type { Index } from './collection.ts';
import type { Key } from './key.ts';
import { COUNT, OwnKeyReaders, PRESENCE, VALUE } from './own-key-readers.ts';
import type { EdgeTable, ReadEdges } from './read-edges.ts';
import type { Rows } from './rows.ts';

export interface ReadableIndexOptions {
  readonly name: string;
  /** Place in the order of creation, which is the order of every commit. */
  readonly rank: number;
  /** The edges of the graph it belongs to. */
  readonly edges: ReadEdges;
}

export abstract class ReadableIndex<V> implements Index<V> {
  readonly name: string;
  readonly rank: number;
  readonly edges: ReadEdges;
  /** Who looked at the bucket of its own key. */
  readonly ownKeyReaders: OwnKeyReaders = new OwnKeyReaders();
  /** Who looked at the entries of a bucket; but for looks under one's own key, as of the others. */
  readonly entryReaders: EdgeTable = new Map();
  /** Who looked at the count of a bucket. */
  readonly countReaders: EdgeTable = new Map();
  /** Who looked at whether a bucket has any entries. */
  readonly anyReaders: EdgeTable = new Map();

  constructor({ name, rank, edges }: ReadableIndexOptions) {
    this.name = name;
    this.rank = rank;
    this.edges = edges;
  }

  abstract entriesOf(bucket: Key): ReadonlyArray<readonly [Key, V]>;
  abstract countOf(bucket: Key): number;
  /** The entries of a bucket in the running commit; for transforms of later nodes. */
  abstract entriesNow(bucket: Key): ReadonlyArray<readonly [Key, V]>;
  abstract countNow(bucket: Key): number;

  /** The first so many of them. */
  firstNow(bucket: Key, max: number): ReadonlyArray<readonly [Key, V]> {
    return this.entriesNow(bucket).slice(0, max);
  }

  /** Whether anybody has ever looked: nobody has when a graph is filled, since whoever looks comes later in a commit. */
  protected get isRead(): boolean {
    return this.ownKeyReaders.any || this.entryReaders.size + this.countReaders.size + this.anyReaders.size > 0;
  }

  /**
   * Wakes whoever looked at a bucket whose entries have changed.
   * @param rows where `row` is the bucket's, if it is the key of an item; omitted: it is looked for
   */
  protected wake(bucket: Key, countBefore: number, rows?: Rows, row?: number): void {
    const count = this.countNow(bucket);
    const counted = count !== countBefore;
    const comesOrGoes = (count === 0) !== (countBefore === 0);
    this.ownKeyReaders.wake(bucket, VALUE | (counted ? COUNT : 0) | (comesOrGoes ? PRESENCE : 0), rows, row);
    this.edges.wake(this.entryReaders, bucket);
    if (counted) this.edges.wake(this.countReaders, bucket);
    if (comesOrGoes) this.edges.wake(this.anyReaders, bucket);
  }

  /** How many keys were looked at. */
  protected get readerSizes(): Readonly<Record<string, number>> {
    return {
      entryReaders: this.entryReaders.size,
      countReaders: this.countReaders.size,
      anyReaders: this.anyReaders.size,
    };
  }
}
