/** Looks at the published state and keeps what was looked at: how `explain` runs a transform again without changing anything. */
import type { Collection, Explanation, Index } from './collection.ts';
import type { Key } from './key.ts';
import type { Tracing } from './node.ts';

type Look = Explanation['reads'][number];

export function newTracing(): Tracing {
  const reads: Look[] = [];
  const note = (target: Collection<unknown> | Index<unknown>, key: Key, via: Look['via']): void => {
    const known = reads.some((read) => read.collection === target.name && read.key === key && read.via === via);
    if (!known) reads.push({ collection: target.name, key, via });
  };
  return {
    reads,
    read: {
      get: (collection, key) => {
        note(collection, key, 'get');
        return collection.get(key);
      },
      has: (collection, key) => {
        note(collection, key, 'has');
        return collection.has(key);
      },
      by: (index, bucket) => {
        note(index, bucket, 'by');
        return index.entriesOf(bucket);
      },
      count: (index, bucket) => {
        note(index, bucket, 'count');
        return index.countOf(bucket);
      },
    },
  };
}
