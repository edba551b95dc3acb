/** What the HTTP API shows, as plain data out of the graph. */
import { type DiscoveredObject, desiredKey, type JudgedPolicy, key, partsOf } from '@meshrelay/relay-core';
import type { SafeMode } from '../output/safe-mode.ts';
import type { Connections } from '../relay/connections.ts';
import type { Fleet } from '../store/fleet.ts';

export interface ApiContext {
  readonly fleet: Fleet;
  readonly connections: Connections;
  readonly safeMode: () => SafeMode;
}

/** The collections of the API, each with what lists it. Every item has an `id` that is unique in its collection. */
export type Resource = 'clusters' | 'meshes' | 'workloads' | 'destinations' | 'policies' | 'outputs';
export const RESOURCES: readonly Resource[] = [
  'clusters',
  'meshes',
  'workloads',
  'destinations',
  'policies',
  'outputs',
];

export interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** All items of a collection, ordered by id. */
export function listItems(context: ApiContext, resource: Resource): Item[] {
  const { controlPlane, world } = context.fleet;
  switch (resource) {
    case 'clusters':
      return sorted([...world.clusters.entries()].map(([, { name }]) => clusterItem(context, name)));
    case 'meshes':
      return discovered(context, 'Mesh');
    case 'workloads':
      return discovered(context, 'Workload');
    case 'destinations':
      return discovered(context, 'Destination');
    case 'policies':
      return sorted([...controlPlane.statuses.entries()].map(([, judged]) => policyItem(judged)));
    case 'outputs':
      return sorted([...controlPlane.desired.entries()].map(([id]) => outputItem(context, id)));
  }
}

function clusterItem({ fleet, connections }: ApiContext, name: string): Item {
  const facts = fleet.world.clusters.get(key(name));
  const progress = fleet.progress.get(name);
  const { push, pull, address, refused } = connections.of(name);
  return {
    id: name,
    name,
    connected: push && pull,
    address,
    suspended: facts?.suspended ?? false,
    complete: progress?.complete ?? false,
    version: progress === undefined ? undefined : `${progress.version.term}/${progress.version.seq}`,
    firstSyncedAt: fleet.world.ledgerClusters.get(key(name))?.firstSyncedAt,
    refused: [...refused.values()].map(({ key: object, code, reason }) => ({ ...object, code, reason })),
  };
}

function discovered({ fleet }: ApiContext, kind: DiscoveredObject['kind']): Item[] {
  const items = [...fleet.controlPlane.discovered.entries()].flatMap(([, object]) =>
    object.kind === kind ? [discoveredItem(object)] : [],
  );
  return sorted(items);
}

function discoveredItem({ metadata, spec }: DiscoveredObject): Item {
  return { id: metadata.name, name: metadata.name, namespace: metadata.namespace, labels: metadata.labels, spec };
}

function policyItem({ ref, status }: JudgedPolicy): Item {
  return { id: `${ref.cluster}/${ref.kind}/${ref.namespace}/${ref.name}`, ...ref, ...status };
}

function outputItem({ fleet, connections }: ApiContext, id: string): Item {
  const desired = fleet.controlPlane.desired.get(id);
  const [cluster = '', group = '', kind = '', namespace = '', name = ''] = partsOf(id);
  const refusal = [...connections.of(cluster).refused.values()].find(
    ({ key: object }) => desiredKey(cluster, object, object.namespace, object.name) === id,
  );
  return {
    id: `${cluster}/${group}/${kind}/${namespace}/${name}`,
    cluster,
    group,
    kind,
    namespace,
    name,
    plugin: desired?.plugin,
    because: desired?.because,
    ...(refusal === undefined ? {} : { refused: { code: refusal.code, reason: refusal.reason } }),
  };
}

function sorted(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}
