/** Names of discovered objects in the management namespace: readable, unique, the same on every replica. */
import type { Collection, Graph } from '../graph/collection.ts';
import { type Key, key, partsOf } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';

/**
 * A name for each item: its base name, with 6 hexadecimal digits of its key's hash appended where several items of the collection
 * have the same base name. Under the items' own keys, the first part of which is their cluster.
 */
export function uniqueNames<V>(
  graph: Graph,
  label: string,
  items: Collection<V>,
  baseName: (item: V, key: Key) => string,
  hash: Hasher,
): Collection<string> {
  const { made: shared } = graph.gather<V, Key, readonly Key[]>(
    `${label}-shared`,
    [items],
    (item, _read, itemKey) => [[key(baseName(item, itemKey)), itemKey]],
    (itemKeys) => (itemKeys.length > 1 ? itemKeys : undefined),
  );
  // Nearly all names are unique, so one look serves all items of a cluster.
  const sharedInCluster = graph.index(shared, `${label}-shared-in-cluster`, (itemKeys) => itemKeys.map(clusterBucket));
  return graph.derive(label, items, (item, read, itemKey) => {
    const name = baseName(item, itemKey);
    const alone = !read.any(sharedInCluster, clusterBucket(itemKey)) || !read.has(shared, key(name));
    return alone ? name : `${name}-${hash(itemKey).slice(0, 6)}`;
  });
}

function clusterBucket(itemKey: Key): Key {
  return key(partsOf(itemKey)[0] ?? '');
}
