/** A fleet under change: objects come and go, through the very stages of agents and server. */
import { decodeObject, isMeshrelayGroup, type KubeObject } from '@meshrelay/api';
import {
  type Collection,
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
  groupOf,
  isPushedAsItIs,
  key,
  kindKey,
  type LoadedPlugin,
  MANAGEMENT_CLUSTER,
  objectKey,
  setObject,
  settle,
  setUnreadable,
  type Transaction,
  withoutNoise,
} from '@meshrelay/relay-core';
import { sha256 } from '../hash.ts';
import type { Fleet } from './fleet-spec.ts';
import { LiveNamespaces } from './live-namespaces.ts';

/** Whether an object is there from now on, or gone. */
export type FaultOutcome = 'there' | 'gone';

/** What becomes of an object. */
export interface Reported {
  readonly object: KubeObject;
  readonly outcome: FaultOutcome;
}

/** Of every graph, such as `freeze`, which finds out who changes what is not his; and of what statuses tell. */
export interface LiveFleetOptions extends GraphOptions, Pick<ControlPlaneOptions, 'wholeStatuses'> {
  /** Makes the graphs of the server and of the agents; omitted: `createGraph`. */
  readonly graphs?: (options: GraphOptions) => Graph;
}

interface LiveCluster {
  readonly graph: Graph;
  readonly discovery: Discovery;
  readonly namespaces: LiveNamespaces;
  /** What discovery has found changed and the server was not yet told. */
  readonly found: Reported[];
}

/** Begins empty. What is told is worked on at once. */
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

  /** Takes up what becomes of an object of a cluster; '' is the management cluster. */
  report(cluster: string, object: KubeObject, outcome: FaultOutcome): void {
    this.reportAll(cluster, [{ object, outcome }]);
  }

  /** The same for several objects of a cluster, which come about at once. */
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
  tellFleet({ clusters, management }: Fleet): void {
    for (const { name, objects } of [{ name: MANAGEMENT_CLUSTER, objects: management }, ...clusters])
      this.reportAll(
        name,
        objects.map((object) => ({ object, outcome: 'there' })),
      );
  }

  /** Makes every decision that waits, as the holder of the Lease does. */
  settle(): void {
    settle(this.plane, { plugins: this.#plugins, hash: sha256 });
  }

  /** Every fault of a stage so far, one line each. */
  faults(): readonly string[] {
    const graphs = [this.plane.graph, ...[...this.#clusters.values()].map(({ graph }) => graph)];
    return graphs.flatMap((graph) =>
      [...graph.quarantined.entries()].map(([, { node, key: item, error }]) => `${node} ${item}: ${String(error)}`),
    );
  }

  /** Makes a cluster known that nothing was told of yet; the clusters of told objects are known anyway. */
  register(name: string): LiveCluster {
    const known = this.#clusters.get(name);
    if (known !== undefined) return known;
    const graph = this.#newGraph();
    const discovery = discoverCluster(graph, name, this.#plugins);
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
          // Its agent is there all the same.
          if (kind === 'KubernetesCluster' && this.#clusters.has(name)) declare(transaction, fleetState, name);
        }
      }
    });
  }
}

/** A cluster without a KubernetesCluster, by the defaults of one. */
function declare(transaction: Transaction, fleetState: FleetState, name: string): void {
  transaction.set(fleetState.clusters, key(name), { name, domain: 'cluster.local', suspended: false });
}

/** As the server reads what it is sent: of our own kinds only what has their shape. */
function takeUp(transaction: Transaction, fleetState: FleetState, cluster: string, raw: KubeObject): void {
  if (!isMeshrelayGroup(groupOf(raw.apiVersion))) {
    setObject(transaction, fleetState, cluster, withoutNoise(raw));
    return;
  }
  const { object, reports, problems } = decodeObject(raw, { unknownFields: 'prune' });
  if (object !== undefined) setObject(transaction, fleetState, cluster, object, reports);
  else setUnreadable(transaction, fleetState, cluster, raw, problems);
}

/** What is found under another name than before has gone under that name. */
function foundAs(before: KubeObject | undefined, after: KubeObject | undefined): Reported[] {
  const gone: Reported[] = before === undefined ? [] : [{ object: before, outcome: 'gone' }];
  return after === undefined ? gone : [...gone, { object: after, outcome: 'there' }];
}
