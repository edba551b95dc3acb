/** A fleet out of files, run through the very stages of agents and server. */
import type { KubeObject } from '@meshrelay/api';
import { ADMIN_API_VERSION, isOurApiVersion } from '@meshrelay/api';
import {
  type ControlPlane,
  createControlPlane,
  createGraph,
  discoverCluster,
  type Graph,
  groupOf,
  key,
  kindKey,
  type LoadedPlugin,
  MANAGEMENT_CLUSTER,
  objectKey,
  setObject,
  settle,
  withoutNoise,
} from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';
import { sha256 } from './hash.ts';

export interface ClusterObjects {
  readonly name: string;
  readonly objects: readonly KubeObject[];
}

export interface FleetInputs {
  readonly clusters: readonly ClusterObjects[];
  /** Objects of the management cluster. */
  readonly management: readonly KubeObject[];
  readonly plugins: readonly LoadedPlugin[];
}

/** Builds the fleet, makes all decisions that wait, and refuses to go on where a plugin failed. */
export function buildFleet({ clusters, management, plugins }: FleetInputs): ControlPlane {
  const graph = createGraph();
  const options = { plugins, hash: sha256 };
  const fleet = createControlPlane(graph, options);
  const found = clusters.map((cluster) => ({ cluster: cluster.name, objects: agentObjects(cluster, plugins) }));
  graph.commit((transaction) => {
    for (const { name } of clusters)
      transaction.set(fleet.world.clusters, key(name), { name, domain: 'cluster.local', suspended: false });
    for (const object of management) setObject(transaction, fleet.world, MANAGEMENT_CLUSTER, object);
    for (const { cluster, objects } of found)
      for (const object of objects) setObject(transaction, fleet.world, cluster, object);
  });
  refuseFaults(graph);
  settle(fleet, options);
  refuseFaults(graph);
  return fleet;
}

/** What an agent of the cluster would push: what it discovers, the policies there, and the objects of kinds that plugins write. */
function agentObjects({ name, objects }: ClusterObjects, plugins: readonly LoadedPlugin[]): KubeObject[] {
  const graph = createGraph();
  const discovery = discoverCluster(graph, name, plugins);
  const written = new Set(plugins.flatMap(({ plugin }) => plugin.writes).map(kindKey));
  graph.commit((transaction) => {
    for (const object of objects) {
      const source = discovery.inputs.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
      if (source !== undefined) transaction.set(source, objectKey(object), withoutNoise(object));
    }
  });
  refuseFaults(graph);
  const own = objects.filter(
    ({ apiVersion, kind }) =>
      (isOurApiVersion(apiVersion) && apiVersion !== ADMIN_API_VERSION) ||
      written.has(kindKey({ group: groupOf(apiVersion), kind })),
  );
  const discovered = [discovery.meshes, discovery.workloads, discovery.destinations].flatMap((collection) =>
    [...collection.entries()].map(([, object]) => object),
  );
  return [...own, ...discovered];
}

/** A stage that threw would leave the result without a part, silently. */
function refuseFaults(graph: Graph): void {
  const faults = [...graph.quarantined.entries()].map(
    ([, { node, key: item, error }]) => `${node} ${item}: ${error instanceof Error ? error.message : String(error)}`,
  );
  if (faults.length > 0) throw new InputError(`not all of the input could be worked on:\n${faults.sort().join('\n')}`);
}
