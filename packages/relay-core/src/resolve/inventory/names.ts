/** Names of discovered objects in the management namespace: readable, unique, and the same on every replica. */
import { type Collection, type Index, type Key, key, partsOf, type Read, type Transform } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { Hasher } from '../../input/canonical.ts';
import type { ClusterFacts } from '../../store/fleet-state.ts';

/** The items to name: each has a cluster, whose name ends its base name. */
export interface Named<V> {
  readonly items: Collection<V>;
  baseName(item: V, key: Key): string;
  /** A suffix after the base name; without dashes. */
  ending?(item: V): string;
  /** Registered clusters by the suffixes of their names, each after a dash. */
  readonly clusters: ClustersBySuffix;
  /** False: names are not stored, but computed on each read. */
  readonly packed?: boolean;
}

/** Registered clusters by each suffix of their names: `us-east` is listed under `east`. */
export type ClustersBySuffix = Index<ClusterFacts>;

export function clustersByEnding(graph: Graph, clusters: Collection<ClusterFacts>): ClustersBySuffix {
  return graph.index(clusters, 'resolve/clusters-by-suffix', ({ name }) =>
    [...name.matchAll(/-/g)].map(({ index }) => key(name.slice(index + 1))),
  );
}

/**
 * A name for each item, under the item's key, whose first part is the cluster. It is the base name.
 * Six hexadecimal digits of the key's hash follow if the base name is not unique in the cluster, or if another cluster
 * could own the name. A name belongs to the longest cluster name that it ends in. So no cluster changes a name of
 * another cluster.
 */
export function uniqueNames<V>(
  graph: Graph,
  label: string,
  { items, baseName, ending, clusters, packed: retained = true }: Named<V>,
  hash: Hasher,
): Collection<string> {
  const fullName = (item: V, itemKey: Key): string =>
    ending === undefined ? baseName(item, itemKey) : `${baseName(item, itemKey)}-${ending(item)}`;
  const { made: shared } = graph.gather<V, Key, readonly Key[]>(
    `${label}-shared`,
    [items],
    (item, _read, itemKey) => [[key(clusterOf(itemKey), fullName(item, itemKey)), itemKey]],
    (itemKeys) => (itemKeys.length > 1 ? itemKeys : undefined),
  );
  // Nearly all names are unique, so one read serves all items of a cluster.
  const sharedInCluster = graph.index(shared, `${label}-shared-in-cluster`, (itemKeys) =>
    itemKeys.map((itemKey) => key(clusterOf(itemKey))),
  );
  const nameOf: Transform<V, string> = (item, read, itemKey) => {
    const name = fullName(item, itemKey);
    const cluster = clusterOf(itemKey);
    const alone = !read.any(sharedInCluster, key(cluster)) || !read.has(shared, key(cluster, name));
    return alone && !mayBeAnothers(read, clusters, cluster, baseName(item, itemKey))
      ? name
      : `${name}-${hash(itemKey).slice(0, 6)}`;
  };
  return retained ? graph.derive(label, items, nameOf) : graph.inline(label, items, nameOf);
}

/** Whether a base name of one cluster ends in the name of another cluster, which ends in the name of the first. */
function mayBeAnothers(read: Read, clusters: ClustersBySuffix, cluster: string, base: string): boolean {
  if (!read.any(clusters, key(cluster))) return false;
  return read.by(clusters, key(cluster)).some(([, longer]) => base.endsWith(`-${longer.name}`));
}

function clusterOf(itemKey: Key): string {
  return partsOf(itemKey)[0] ?? '';
}
