/** Looks at the published state and keeps what was looked at: how `explain` runs a transform again without changing anything. */
import type { Collection, Explanation, Index } from './collection.ts';
import type { Key } from './key.ts';
import type { Tracing } from './node.ts';
import type { ReadEdges } from './read-edges.ts';
import { indexOf, laterCollection, storeOf } from './read-recorder.ts';

type Look = Explanation['reads'][number];

/** A read for one run of a node's transform; like in a commit it refuses collections made later. */
export function newTracing(edges: ReadEdges, reader: { readonly name: string; readonly rank: number }): Tracing {
  const reads: Look[] = [];
  const note = (target: { readonly name: string; readonly rank: number }, key: Key, via: Look['via']): void => {
    if (target.rank >= reader.rank) throw laterCollection(reader.name, target.name);
    const known = reads.some((read) => read.collection === target.name && read.key === key && read.via === via);
    if (!known) reads.push({ collection: target.name, key, via });
  };
  const lookAt = <V>(collection: Collection<V>, key: Key, via: Look['via']): Collection<V> => {
    note(storeOf(collection, edges), key, via);
    return collection;
  };
  const lookInto = <V>(index: Index<V>, bucket: Key, via: Look['via']): Index<V> => {
    note(indexOf(index, edges), bucket, via);
    return index;
  };
  return {
    reads,
    read: {
      get: (collection, key) => lookAt(collection, key, 'get').get(key),
      has: (collection, key) => lookAt(collection, key, 'has').has(key),
      by: (index, bucket) => lookInto(index, bucket, 'by').entriesOf(bucket),
      count: (index, bucket) => lookInto(index, bucket, 'count').countOf(bucket),
      any: (index, bucket) => lookInto(index, bucket, 'any').countOf(bucket) > 0,
    },
  };
}
