/** An index that transforms read by bucket, with its readers. A node fills it and marks the readers dirty. */
import type { Index, Key } from '@meshrelay/plugin';
import { COUNT, OwnKeyReaders, PRESENCE, VALUE } from '../edges/own-key-readers.ts';
import type { EdgeTable, ReadEdges } from '../edges/read-edges.ts';
import type { Rows } from '../rows/rows.ts';

export interface ReadableIndexOptions {
  readonly name: string;
  /** Position in the order of creation, which every commit follows. */
  readonly rank: number;
  /** The edges of the graph it belongs to. */
  readonly edges: ReadEdges;
}

export abstract class ReadableIndex<V> implements Index<V> {
  readonly name: string;
  readonly rank: number;
  readonly edges: ReadEdges;
  /** Readers of the bucket of their own key. */
  readonly ownKeyReaders: OwnKeyReaders = new OwnKeyReaders();
  /** Readers of the entries of a bucket, except reads under the reader's own key (also in the next two). */
  readonly entryReaders: EdgeTable = new Map();
  /** Readers of the count of a bucket. */
  readonly countReaders: EdgeTable = new Map();
  /** Readers of whether a bucket has entries. */
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

  /** The first `max` entries of a bucket in the running commit. */
  firstNow(bucket: Key, max: number): ReadonlyArray<readonly [Key, V]> {
    return this.entriesNow(bucket).slice(0, max);
  }

  /**
   * Whether any transform has ever read the index. False during the initial fill, because readers run later in the
   * commit.
   */
  protected get isRead(): boolean {
    return this.ownKeyReaders.any || this.entryReaders.size + this.countReaders.size + this.anyReaders.size > 0;
  }

  /**
   * Marks the readers of a bucket with changed entries dirty.
   * @param rows table that `row` belongs to, if the bucket is the key of an item; omitted: the row is looked up
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

  /** The number of keys with readers. */
  protected get readerSizes(): Readonly<Record<string, number>> {
    return {
      entryReaders: this.entryReaders.size,
      countReaders: this.countReaders.size,
      anyReaders: this.anyReaders.size,
    };
  }
}
