/** A fleet that lives through its history: discovery in every cluster, one control plane, and the keeper of its decisions. */
import { decodeObject, isOurGroup, type KubeObject } from '@meshrelay/api';
import istio from '@meshrelay/plugin-istio';
import { sha256 } from '@meshrelay/plugin-kit';
import osm from '@meshrelay/plugin-osm';
import {
  type Collection,
  type ControlPlane,
  createControlPlane,
  createGraph,
  type Discovery,
  deleteObject,
  discoverCluster,
  type Graph,
  type Change as GraphChange,
  groupOf,
  key,
  kindKey,
  kindsReported,
  type LoadedPlugin,
  loadPlugins,
  type ObjectName,
  objectKey,
  setObject,
  settle,
  setUnreadable,
  type Transaction,
  type World,
  withoutNoise,
} from '@meshrelay/relay-core';
import { type Change, CLUSTER_NAMES, type Event } from './world.ts';

/** The meshes of the fleet. */
export const PLUGINS: readonly LoadedPlugin[] = loadPlugins([
  { module: '@meshrelay/plugin-istio', plugin: istio },
  { module: '@meshrelay/plugin-osm', plugin: osm },
]);

const POLICY_GROUP = 'networking.meshrelay.dev';
const WRITTEN = new Set(PLUGINS.flatMap(({ plugin }) => kindsReported(plugin)).map(kindKey));

/** What a stage said of a change, to be brought to the next. */
interface Told {
  readonly cluster: string;
  readonly name: ObjectName;
  /** Undefined: it is gone. */
  readonly object: KubeObject | undefined;
}

interface Agent {
  readonly graph: Graph;
  readonly discovery: Discovery;
  /** What discovery has changed since it was last asked. */
  readonly changes: Told[];
}

/** The fleet. */
export class RunningFleet {
  readonly plane: ControlPlane;
  readonly #agents: ReadonlyMap<string, Agent>;

  constructor() {
    this.plane = createControlPlane(createGraph({ freeze: true }), { plugins: PLUGINS, hash: sha256 });
    const { graph, world } = this.plane;
    graph.commit((transaction) => {
      for (const name of CLUSTER_NAMES)
        transaction.set(world.clusters, key(name), { name, domain: 'cluster.local', suspended: false });
    });
    this.#agents = new Map(CLUSTER_NAMES.map((cluster) => [cluster, startAgent(cluster)]));
  }

  /** Brings an event through every stage, and makes the decisions that it asks for. */
  live(event: Event): void {
    for (const [cluster, { graph, discovery }] of this.#agents) {
      const own = event.filter((change) => change.cluster === cluster);
      if (own.length === 0) continue;
      graph.commit((transaction) => {
        for (const { object, gone } of own) {
          const source = discovery.inputs.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
          if (source === undefined) continue;
          if (gone) transaction.delete(source, objectKey(object));
          else transaction.set(source, objectKey(object), withoutNoise(object));
        }
      });
    }
    this.#tell([...event.filter(isPushedAsItIs).map(told), ...this.#discovered()]);
    settle(this.plane, { plugins: PLUGINS, hash: sha256 });
  }

  /** Faults of any stage: there must be none, whatever users write. */
  faults(): string[] {
    return [this.plane.graph, ...[...this.#agents.values()].map(({ graph }) => graph)].flatMap((graph) =>
      [...graph.quarantined.entries()].map(([, { node, key: item, error }]) => `${node} ${item}: ${String(error)}`),
    );
  }

  #tell(changes: readonly Told[]): void {
    const { graph, world } = this.plane;
    graph.commit((transaction) => {
      for (const { cluster, name, object } of changes) {
        if (object === undefined) deleteObject(transaction, world, cluster, name);
        else takeUp(transaction, world, cluster, object);
      }
    });
  }

  #discovered(): Told[] {
    return [...this.#agents.values()].flatMap(({ changes }) => changes.splice(0));
  }
}

/** As the server reads what it is sent: of our own kinds only what has their shape. */
function takeUp(transaction: Transaction, world: World, cluster: string, raw: KubeObject): void {
  if (!isOurGroup(groupOf(raw.apiVersion))) {
    setObject(transaction, world, cluster, withoutNoise(raw));
    return;
  }
  const { object, problems } = decodeObject(raw, { unknownFields: 'prune' });
  if (object !== undefined) setObject(transaction, world, cluster, object);
  else setUnreadable(transaction, world, cluster, raw, problems);
}

function startAgent(cluster: string): Agent {
  const graph = createGraph({ freeze: true });
  const discovery = discoverCluster(graph, cluster, PLUGINS);
  const changes: Told[] = [];
  const discovered: ReadonlyArray<Collection<KubeObject>> = [
    discovery.meshes,
    discovery.workloads,
    discovery.destinations,
  ];
  graph.subscribe((changed) => {
    for (const collection of discovered)
      for (const change of changed.of(collection)) changes.push(...toldOf(cluster, change));
  });
  return { graph, discovery, changes };
}

/** An object that is discovered under another name than before has gone under that name. */
function toldOf(cluster: string, { before, after }: GraphChange<KubeObject>): Told[] {
  const was = before === undefined ? [] : [{ cluster, name: nameOf(before), object: undefined }];
  return after === undefined ? was : [...was, { cluster, name: nameOf(after), object: after }];
}

/** Policies, objects of kinds that plugins write, and whatever stands in the management cluster. */
function isPushedAsItIs({ cluster, object }: Change): boolean {
  const group = groupOf(object.apiVersion);
  return cluster === '' || group === POLICY_GROUP || WRITTEN.has(kindKey({ group, kind: object.kind }));
}

function told({ cluster, object, gone }: Change): Told {
  return { cluster, name: nameOf(object), object: gone ? undefined : object };
}

function nameOf({ apiVersion, kind, metadata }: KubeObject): ObjectName {
  return { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '', name: metadata.name };
}
