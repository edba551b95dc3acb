/** A changing fleet: objects appear and are deleted, through the same stages as in agents and server. */

import { DEFAULT_CLUSTER_DOMAIN, decodeObject, isMeshrelayGroup, type KubeObject } from '@meshrelay/api';
import { type Collection, groupOf, key, kindKey } from '@meshrelay/plugin';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  createControlPlane,
  createGraph,
  type Discovery,
  deleteObject,
  discoverCluster,
  type FleetState,
  type Graph,
  type GraphOptions,
  isPushedAsItIs,
  type LoadedPlugin,
  MANAGEMENT_CLUSTER,
  objectKey,
  refuseFailedDiscovery,
  setObject,
  settle,
  setUnreadable,
  type Transaction,
  withoutNoise,
} from '@meshrelay/relay-core';
import { sha256 } from '../hash.ts';
import type { Fleet } from './expand-fleet.ts';
import { LiveNamespaces } from './live-namespaces.ts';
import type { FaultOutcome, Reported } from './reported.ts';

/**
 * Options of every graph, such as `freeze`, which detects code that changes values it does not own; and whether
 * statuses contain all targets.
 */
export interface LiveFleetOptions extends GraphOptions, Pick<ControlPlaneOptions, 'wholeStatuses'> {
  /** Creates the graphs of the server and of the agents; omitted: `createGraph`. */
  readonly graphs?: (options: GraphOptions) => Graph;
}

interface LiveCluster {
  readonly graph: Graph;
  readonly discovery: Discovery;
  readonly namespaces: LiveNamespaces;
  /** Changes from discovery that were not sent to the server yet. */
  readonly found: Reported[];
}

/** Starts empty, and processes each change immediately. */
export class LiveFleet {
  readonly plane: ControlPlane;
  readonly #plugins: readonly LoadedPlugin[];
  readonly #newGraph: () => Graph;
  readonly #isPushed: (object: KubeObject) => boolean;
  readonly #clusters = new Map<string, LiveCluster>();

  constructor(
    plugins: readonly LoadedPlugin[],
    { wholeStatuses = false, graphs = createGraph, ...options }: LiveFleetOptions = {},
  ) {
    this.#plugins = plugins;
    this.#newGraph = () => graphs(options);
    this.#isPushed = isPushedAsItIs(plugins);
    this.plane = createControlPlane(this.#newGraph(), { plugins, hash: sha256, wholeStatuses });
  }

  /** Applies a change of an object of a cluster; '' is the management cluster. */
  report(cluster: string, object: KubeObject, outcome: FaultOutcome): void {
    this.reportAll(cluster, [{ object, outcome }]);
  }

  /** The same for several objects of a cluster, in one transaction. */
  reportAll(cluster: string, changes: readonly Reported[]): void {
    if (cluster === MANAGEMENT_CLUSTER) {
      this.#push(cluster, changes);
      return;
    }
    const { graph, discovery, namespaces, found } = this.register(cluster);
    graph.commit((transaction) => {
      for (const { object, outcome } of changes) {
        const source = discovery.inputs.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
        if (source === undefined) continue;
        if (outcome === 'there') transaction.set(source, objectKey(object), withoutNoise(object));
        else transaction.delete(source, objectKey(object));
      }
    });
    const asTheyAre = changes.filter(({ object }) => this.#isPushed(object));
    this.#push(cluster, [...asTheyAre, ...namespaces.follow(changes), ...found.splice(0)]);
  }

  /** The same for a whole fleet, cluster by cluster. */
  reportFleet({ clusters, management }: Fleet): void {
    for (const { name, objects } of [{ name: MANAGEMENT_CLUSTER, objects: management }, ...clusters])
      this.reportAll(
        name,
        objects.map((object) => ({ object, outcome: 'there' })),
      );
  }

  /** Makes every pending decision, as the holder of the Lease does. */
  settle(): void {
    settle(this.plane, { plugins: this.#plugins, hash: sha256 });
  }

  /** All faults of stages so far, one line each. */
  faults(): readonly string[] {
    const graphs = [this.plane.graph, ...[...this.#clusters.values()].map(({ graph }) => graph)];
    return graphs.flatMap((graph) =>
      [...graph.quarantined.entries()].map(([, { node, key: item, error }]) => `${node} ${item}: ${String(error)}`),
    );
  }

  /** Registers a cluster without objects; reported objects register their cluster themselves. */
  register(name: string): LiveCluster {
    const known = this.#clusters.get(name);
    if (known !== undefined) return known;
    const graph = this.#newGraph();
    const discovery = discoverCluster(graph, name, this.#plugins);
    refuseFailedDiscovery(discovery);
    const { meshes, workloads, destinations } = discovery;
    const found: Reported[] = [];
    graph.subscribe((changes) => {
      for (const collection of [meshes, workloads, destinations] as ReadonlyArray<Collection<KubeObject>>)
        for (const { before, after } of changes.of(collection)) found.push(...foundAs(before, after));
    });
    this.plane.graph.commit((transaction) => {
      if (this.plane.fleetState.clusters.get(key(name)) === undefined)
        declare(transaction, this.plane.fleetState, name);
    });
    const cluster = { graph, discovery, namespaces: new LiveNamespaces(), found };
    this.#clusters.set(name, cluster);
    return cluster;
  }

  #push(cluster: string, changes: readonly Reported[]): void {
    if (changes.length === 0) return;
    const { graph, fleetState } = this.plane;
    graph.commit((transaction) => {
      for (const { object, outcome } of changes) {
        if (outcome === 'there') takeUp(transaction, fleetState, cluster, object);
        else {
          const { name, namespace = '' } = object.metadata;
          const { apiVersion, kind } = object;
          deleteObject(transaction, fleetState, cluster, { group: groupOf(apiVersion), kind, namespace, name });
          // Its agent stays registered.
          if (kind === 'KubernetesCluster' && this.#clusters.has(name)) declare(transaction, fleetState, name);
        }
      }
    });
  }
}

/** A cluster without a KubernetesCluster, with its defaults. */
function declare(transaction: Transaction, fleetState: FleetState, name: string): void {
  transaction.set(fleetState.clusters, key(name), { name, domain: DEFAULT_CLUSTER_DOMAIN, suspended: false });
}

/** Reads objects as the server does: Meshrelay kinds must match their schema. */
function takeUp(transaction: Transaction, fleetState: FleetState, cluster: string, raw: KubeObject): void {
  if (!isMeshrelayGroup(groupOf(raw.apiVersion))) {
    setObject(transaction, fleetState, cluster, withoutNoise(raw));
    return;
  }
  const { object, reports, problems } = decodeObject(raw, { unknownFields: 'prune' });
  if (object !== undefined) setObject(transaction, fleetState, cluster, object, reports);
  else setUnreadable(transaction, fleetState, cluster, raw, problems);
}

/** If discovery reports an object under a new name, the old name is deleted. */
function foundAs(before: KubeObject | undefined, after: KubeObject | undefined): Reported[] {
  const gone: Reported[] = before === undefined ? [] : [{ object: before, outcome: 'gone' }];
  return after === undefined ? gone : [...gone, { object: after, outcome: 'there' }];
}
