/**
 * A whole fleet from objects in memory, run through the same stages as in agents and server: for offline commands,
 * golden cases and tools.
 */
import { clusterPolicyKinds, DEFAULT_CLUSTER_DOMAIN, definitionOf, type KubeObject } from '@meshrelay/api';
import { groupOf, key, kindKey, NAMESPACE } from '@meshrelay/plugin';
import { type ControlPlane, type ControlPlaneOptions, createControlPlane, settle } from '../control-plane.ts';
import { discoverCluster, objectKey, refuseFailedDiscovery } from '../discover/mod.ts';
import type { Graph } from '../graph/collection.ts';
import { createGraph } from '../graph/graph.ts';
import { namespaceObject } from '../input/namespace-object.ts';
import { withoutNoise } from '../input/noise.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { kindsReported } from '../plugin/reported-kinds.ts';
import { MANAGEMENT_CLUSTER } from '../store/feed.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { setDecoded } from './set-decoded.ts';

export interface FleetInputs extends ControlPlaneOptions {
  readonly clusters: readonly ClusterObjects[];
  /** Further clusters, with the objects that their agents push. Omitted: none. */
  readonly pushed?: readonly ClusterObjects[];
  /** Objects of the management cluster. */
  readonly management: readonly KubeObject[];
}

/**
 * Builds the fleet and makes all pending decisions, as the holder of the Lease does. Objects may have any shape: a policy
 * that does not fit its schema is rejected by its status.
 * @throws Error for another Meshrelay object that does not fit its schema, and if a stage failed on an object: the result
 * would silently lack a part
 */
export function buildFleet({ clusters, pushed = [], management, ...options }: FleetInputs): ControlPlane {
  const graph = createGraph();
  const fleet = createControlPlane(graph, options);
  // A fault there is a fault of the fleet too, and no later step would find it.
  fleet.shown.activate();
  const found = [
    ...clusters.map((cluster) => ({ name: cluster.name, objects: agentObjects(cluster, options.plugins) })),
    ...pushed,
  ];
  graph.commit((transaction) => {
    for (const { name } of found)
      transaction.set(fleet.fleetState.clusters, key(name), { name, domain: DEFAULT_CLUSTER_DOMAIN, suspended: false });
    for (const object of management) setDecoded(transaction, fleet.fleetState, MANAGEMENT_CLUSTER, object);
    for (const { name, objects } of found)
      for (const object of objects) setDecoded(transaction, fleet.fleetState, name, object);
  });
  refuseFaults(graph);
  settle(fleet, options);
  refuseFaults(graph);
  return fleet;
}

/**
 * The objects that an agent of the cluster pushes: what it discovers, the cluster's policies and namespaces, and
 * objects of kinds that plugins write.
 */
export function agentObjects({ name, objects }: ClusterObjects, plugins: readonly LoadedPlugin[]): KubeObject[] {
  const graph = createGraph();
  const discovery = discoverCluster(graph, name, plugins);
  refuseFailedDiscovery(discovery);
  const isPushed = isPushedAsItIs(plugins);
  graph.commit((transaction) => {
    for (const object of objects) {
      const source = discovery.inputs.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
      if (source !== undefined) transaction.set(source, objectKey(object), withoutNoise(object));
    }
  });
  refuseFaults(graph);
  const own = objects.filter(isPushed);
  const discovered = [discovery.meshes, discovery.workloads, discovery.destinations].flatMap((collection) =>
    [...collection.entries()].map(([, object]) => object),
  );
  return [...own, ...namespacesOf(objects), ...discovered];
}

/** Which of a cluster's objects an agent pushes unchanged: policies, and objects of kinds that plugins report. */
export function isPushedAsItIs(
  plugins: readonly LoadedPlugin[],
): (object: Pick<KubeObject, 'apiVersion' | 'kind'>) => boolean {
  const reported = new Set(plugins.flatMap(({ plugin }) => kindsReported(plugin)).map(kindKey));
  return ({ apiVersion, kind }) => {
    const group = groupOf(apiVersion);
    return isClusterPolicy(group, kind) || reported.has(kindKey({ group, kind }));
  };
}

/** Policies are accepted from any cluster; all other Meshrelay kinds only from the management cluster. */
function isClusterPolicy(group: string, kind: string): boolean {
  return clusterPolicyKinds.some((one) => one === kind && definitionOf(one).group === group);
}

/** Files seldom contain the namespaces of their objects; a cluster always does. */
function namespacesOf(objects: readonly KubeObject[]): KubeObject[] {
  const reported = objects.filter(({ apiVersion, kind }) => groupOf(apiVersion) === '' && kind === NAMESPACE.kind);
  const known = new Set(reported.map(({ metadata }) => metadata.name));
  const others = new Set(
    objects.flatMap(({ metadata: { namespace = '' } }) => namespace).filter((name) => name !== ''),
  );
  const missing = [...others].filter((name) => !known.has(name));
  return [...reported.map(namespaceObject), ...missing.map((name) => namespaceObject({ metadata: { name } }))];
}

function refuseFaults(graph: Graph): void {
  const faults = [...graph.quarantined.entries()].map(
    ([, { node, key: item, error }]) => `${node} ${item}: ${error instanceof Error ? error.message : String(error)}`,
  );
  if (faults.length > 0) throw new Error(`not all of the input could be worked on:\n${faults.sort().join('\n')}`);
}
