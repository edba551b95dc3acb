/** A fleet under change: objects come and go one by one, through the very stages of agents and server. */
import { clusterPolicyKinds, definitionOf, type KubeObject } from '@meshrelay/api';
import {
  type Collection,
  type ControlPlane,
  createControlPlane,
  createGraph,
  type Discovery,
  deleteObject,
  discoverCluster,
  type Graph,
  groupOf,
  key,
  kindKey,
  kindsReported,
  type LoadedPlugin,
  MANAGEMENT_CLUSTER,
  NAMESPACE,
  namespaceObject,
  objectKey,
  setObject,
  settle,
  withoutNoise,
} from '@meshrelay/relay-core';
import { sha256 } from '../hash.ts';

interface LiveCluster {
  readonly graph: Graph;
  readonly discovery: Discovery;
}

/** Whether an object is there from now on, or gone. */
export type Fate = 'there' | 'gone';

/** Begins empty. What is told is worked on at once. */
export class LiveFleet {
  readonly plane: ControlPlane;
  readonly #plugins: readonly LoadedPlugin[];
  readonly #written: ReadonlySet<string>;
  readonly #clusters = new Map<string, LiveCluster>();
  readonly #namespaces = new Map<string, Set<string>>();

  constructor(plugins: readonly LoadedPlugin[]) {
    this.#plugins = plugins;
    this.#written = new Set(plugins.flatMap(({ plugin }) => kindsReported(plugin)).map(kindKey));
    this.plane = createControlPlane(createGraph(), { plugins, hash: sha256 });
  }

  /** Takes up what becomes of an object of a cluster; '' is the management cluster. */
  tell(cluster: string, object: KubeObject, fate: Fate): void {
    if (cluster === MANAGEMENT_CLUSTER) {
      this.#push(cluster, [{ object, fate }]);
      return;
    }
    const { graph, discovery } = this.#cluster(cluster);
    const kind = kindKey({ group: groupOf(object.apiVersion), kind: object.kind });
    const source = discovery.inputs.get(kind);
    if (source !== undefined) {
      graph.commit((transaction) => {
        if (fate === 'there') transaction.set(source, objectKey(object), withoutNoise(object));
        else transaction.delete(source, objectKey(object));
      });
    }
    if (object.apiVersion === 'v1' && object.kind === NAMESPACE.kind) {
      this.#knowNamespace(cluster, object.metadata.name);
      this.#push(cluster, [{ object: namespaceObject(object), fate }]);
    }
    this.#knowNamespace(cluster, object.metadata.namespace);
    if (isClusterPolicy(object) || this.#written.has(kind)) this.#push(cluster, [{ object, fate }]);
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

  #cluster(name: string): LiveCluster {
    const known = this.#clusters.get(name);
    if (known !== undefined) return known;
    const graph = createGraph();
    const discovery = discoverCluster(graph, name, this.#plugins);
    const { meshes, workloads, destinations } = discovery;
    graph.subscribe((changes) => {
      this.#push(
        name,
        [meshes, workloads, destinations].flatMap((found: Collection<KubeObject>) =>
          changes.of(found).flatMap(({ before, after }): Array<{ object: KubeObject; fate: Fate }> => {
            if (after !== undefined) return [{ object: after, fate: 'there' }];
            return before === undefined ? [] : [{ object: before, fate: 'gone' }];
          }),
        ),
      );
    });
    this.plane.graph.commit((transaction) => {
      transaction.set(this.plane.world.clusters, key(name), { name, domain: 'cluster.local', suspended: false });
    });
    const cluster = { graph, discovery };
    this.#clusters.set(name, cluster);
    return cluster;
  }

  /** What is in a namespace comes after it. Namespaces stay when what was in them goes, as clusters keep them. */
  #knowNamespace(cluster: string, name = ''): void {
    const known = this.#namespaces.get(cluster) ?? new Set();
    this.#namespaces.set(cluster, known);
    if (name === '' || known.has(name)) return;
    known.add(name);
    this.#push(cluster, [{ object: namespaceObject({ metadata: { name } }), fate: 'there' }]);
  }

  #push(cluster: string, changes: ReadonlyArray<{ readonly object: KubeObject; readonly fate: Fate }>): void {
    if (changes.length === 0) return;
    const { graph, world } = this.plane;
    graph.commit((transaction) => {
      for (const { object, fate } of changes) {
        if (fate === 'there') setObject(transaction, world, cluster, object);
        else {
          const { name, namespace = '' } = object.metadata;
          const { apiVersion, kind } = object;
          deleteObject(transaction, world, cluster, { group: groupOf(apiVersion), kind, namespace, name });
        }
      }
    });
  }
}

/** Policies are taken from any cluster; everything else of ours only from the management cluster. */
function isClusterPolicy({ apiVersion, kind }: KubeObject): boolean {
  return clusterPolicyKinds.some((one) => one === kind && definitionOf(one).group === groupOf(apiVersion));
}
