/**
 * Reads of the published state with a record of each: `explain` uses it to run a transform again without any change.
 */
import type { Collection, Index, Key, Read } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import type { Tracing } from '../commit/node.ts';
import type { ReadEdges } from '../edges/read-edges.ts';
import { Inline } from './inline.ts';
import { indexOf, laterCollection, storeOf } from './read-recorder.ts';

type RecordedRead = Explanation['reads'][number];

/** A `read` for one run of a node's transform. Like in a commit, it rejects collections created later. */
export function newTracing(edges: ReadEdges, reader: { readonly name: string; readonly rank: number }): Tracing {
  const reads: RecordedRead[] = [];
  const note = (target: { readonly name: string; readonly rank: number }, key: Key, via: RecordedRead['via']): void => {
    if (target.rank >= reader.rank) throw laterCollection(reader.name, target.name);
    const known = reads.some((read) => read.collection === target.name && read.key === key && read.via === via);
    if (!known) reads.push({ collection: target.name, key, via });
  };
  const get = <V>(collection: Collection<V>, key: Key, via: RecordedRead['via']): V | undefined => {
    if (collection instanceof Inline) return collection.compute(read, key);
    note(storeOf(collection, edges), key, via);
    return collection.get(key);
  };
  const recorded = <V>(index: Index<V>, bucket: Key, via: RecordedRead['via']): Index<V> => {
    note(indexOf(index, edges), bucket, via);
    return index;
  };
  const read: Read = {
    get: (collection, key) => get(collection, key, 'get'),
    has: (collection, key) => get(collection, key, 'has') !== undefined,
    by: (index, bucket) => recorded(index, bucket, 'by').entriesOf(bucket),
    first: (index, bucket, max) => recorded(index, bucket, 'by').entriesOf(bucket).slice(0, max),
    count: (index, bucket) => recorded(index, bucket, 'count').countOf(bucket),
    any: (index, bucket) => recorded(index, bucket, 'any').countOf(bucket) > 0,
  };
  return { reads, read };
}
