/**
 * Desired state of every cluster at each moment, assuming complete knowledge of the fleet. It uses Meshrelay's own
 * translation, fed directly from the API servers. Invariants compare each write with the history of desired states.
 */
import { type KubeObject, policyKinds } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import {
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
  MANAGEMENT_CLUSTER,
  namespaceObject,
  objectKey,
  setObject,
  withoutNoise,
} from '@meshrelay/relay-core';
import { MANAGEMENT } from '../fleet/fleet.ts';
import { PLUGINS, SHEET } from '../fleet/minimal-mesh.ts';
import { NAMESPACE } from '../fleet/objects.ts';
import type { Write } from '../kube/api-server.ts';
import { Guard } from './guard.ts';
import { contentOf, isManaged } from './managed.ts';

/** The interval in which a content was desired, in simulated milliseconds. */
interface Interval {
  readonly from: number;
  to: number;
  /** The API server at which the change landed that ended it. */
  endedAt?: string;
}

/** The current desired state of an object. */
export interface Expected {
  readonly id: string;
  /** ABSENT if the object must not exist. */
  readonly content: string;
  /** In simulated milliseconds. */
  readonly since: number;
}

/** Simulated milliseconds that may pass between the server's decision to delete and the request. */
const ON_THE_WAY = 1_000;

/** Absence counts as a content like any other. */
export const ABSENT = 'absent';

/** Kinds of the management cluster that translation reads. */
const READ = new Set<string>(['KubernetesCluster', 'Settings', 'Ledger', ...policyKinds]);

export class Oracle {
  readonly #graph: Graph = createGraph();
  readonly #plane: ControlPlane;
  readonly #discoveries = new Map<string, { readonly graph: Graph; readonly discovery: Discovery }>();
  /** By cluster and object: the history of its desired state. */
  readonly #expected = new Map<string, Map<string, Interval[]>>();
  readonly #guard: Guard;
  /** Objects that each cluster's agent sends, whether the cluster is registered or not. */
  readonly #notify = new Map<string, Map<string, KubeObject>>();
  /** When each registered cluster was first synced, as the ledger records it. */
  readonly #knownSince = new Map<string, number>();
  /** A hypothetical evaluation is running: its results are not desired states. */
  #supposing = false;
  /** Time of the users' last change, by API server. */
  readonly #lastChange = new Map<string, number>();
  /** The change being processed. */
  #landing: { readonly host: string; readonly at: number } = { host: '', at: 0 };
  #waiting: Array<{ readonly host: string; readonly write: Write }> = [];

  /** @param isPresent whether a cluster has a generated object */
  constructor(clusters: readonly string[], isPresent: (cluster: string, id: string) => boolean = () => true) {
    this.#guard = new Guard(isPresent);
    this.#plane = createControlPlane(this.#graph, { plugins: PLUGINS, hash: sha256, namespace: NAMESPACE });
    this.#graph.subscribe((changes) => {
      if (this.#supposing) return;
      for (const { before, after } of changes.of(this.#plane.desired)) {
        const { cluster, object } = (after ?? before) as NonNullable<typeof after>;
        const { namespace = '', name } = object.metadata;
        const id = `${namespace}/${name}`;
        this.#became(cluster, id, after === undefined ? ABSENT : contentOf(after.object));
        if (after === undefined) this.#guard.lost(cluster, id);
        else this.#guard.expected(cluster, id);
      }
    });
    for (const cluster of clusters) {
      const graph = createGraph();
      this.#discoveries.set(cluster, { graph, discovery: discoverCluster(graph, cluster, PLUGINS) });
    }
  }

  /** Queues a change of an API server; the next query processes it. */
  see(host: string, write: Write): void {
    const { before, after } = write;
    const { kind } = (after ?? before) as KubeObject;
    if (host === MANAGEMENT && !READ.has(kind)) return;
    if (host !== MANAGEMENT && kind === SHEET.kind && after === undefined && write.actor === '') {
      this.#takeUp();
      this.#guard.deletedByHand(host, write.id);
    }
    if (
      host !== MANAGEMENT &&
      kind === SHEET.kind &&
      (after === undefined || isManaged(after)) &&
      (before === undefined || isManaged(before))
    )
      return;
    this.#waiting.push({ host, write });
    // The objects that clusters have at that moment determine which deletions are allowed.
    if (host === MANAGEMENT && (policyKinds as readonly string[]).includes(kind)) this.#takeUp();
  }

  /**
   * Whether the object may change from one content to the other. It may not return to a content that was desired only
   * before the first one.
   * An exception: users reverted the change that had ended it, and another of their changes is not observed yet. The
   * exception never permits deleting a desired object.
   * @param sentAt when the write was sent, in simulated milliseconds
   */
  mayFollow(cluster: string, id: string, from: string, to: string, sentAt: number): boolean {
    this.#takeUp();
    const known = this.#expected.get(keyOf(cluster, id));
    if (known === undefined) return to === ABSENT;
    const first = known.get(from)?.[0]?.from ?? 0;
    const last = known.get(to)?.at(-1);
    if (last === undefined) return false;
    if (last.to > first) return true;
    if (to === ABSENT) return this.#isForNewcomers(cluster, id, sentAt - ON_THE_WAY);
    return (this.#lastChange.get(last.endedAt ?? '') ?? 0) > last.to;
  }

  /** Whether this content of the object was ever desired. */
  wasDesired(cluster: string, id: string, content: string): boolean {
    this.#takeUp();
    return this.#expected.get(keyOf(cluster, id))?.has(content) ?? content === ABSENT;
  }

  /** Whether the object was deleted with many others without a user's deletion or approval: it must stay. */
  isGuarded(cluster: string, id: string): boolean {
    this.#takeUp();
    return this.#guard.holds(cluster, id);
  }

  /** A user approves the held deletions of a cluster. */
  approved(cluster: string): void {
    this.#takeUp();
    this.#guard.approve(cluster);
  }

  /** The current content of each object that was ever desired in a cluster, ABSENT included, and since when. */
  *desiredNow(cluster: string): Generator<Expected> {
    this.#takeUp();
    for (const [key, contents] of this.#expected) {
      const [of = '', id = ''] = key.split(' ');
      if (of !== cluster) continue;
      for (const [content, intervals] of contents) {
        const { from: since = 0, to } = intervals.at(-1) ?? {};
        if (to === Number.POSITIVE_INFINITY) yield { id, content, since };
      }
    }
  }

  /** Current desired state of a cluster, by object. */
  desired(cluster: string): Map<string, string> {
    this.#takeUp();
    const found = new Map<string, string>();
    for (const [, { cluster: of, object }] of this.#plane.desired.entries()) {
      const { namespace = '', name } = object.metadata;
      if (of === cluster) found.set(`${namespace}/${name}`, contentOf(object));
    }
    return found;
  }

  /**
   * Whether the object is desired only because of other clusters that are registered now, but were not synced then. A
   * cluster that is registered again counts as new, and has no objects until its agent sends them.
   */
  #isForNewcomers(cluster: string, id: string, then: number): boolean {
    const { fleetState: fleet, desired } = this.#plane;
    const newcomers = [...this.#notify].filter(
      ([name]) => name !== cluster && fleet.clusters.has(key(name)) && !((this.#knownSince.get(name) ?? then) < then),
    );
    if (newcomers.length === 0) return false;
    this.#supposing = true;
    this.#graph.commit((transaction) => {
      for (const [name, notify] of newcomers)
        for (const object of notify.values()) deleteObject(transaction, fleet, name, nameOf(object));
    });
    const isDesired = [...desired.entries()].some(
      ([, { cluster: of, object }]) =>
        of === cluster && `${object.metadata.namespace ?? ''}/${object.metadata.name}` === id,
    );
    this.#graph.commit((transaction) => {
      for (const [name, notify] of newcomers)
        for (const object of notify.values()) setObject(transaction, fleet, name, object);
    });
    this.#supposing = false;
    return !isDesired;
  }

  /** Records which clusters are synced by now. */
  #noteKnown(at: number): void {
    const { clusters, ledgerClusters } = this.#plane.fleetState;
    for (const cluster of this.#notify.keys()) {
      const isKnown = clusters.has(key(cluster)) && ledgerClusters.has(key(cluster));
      if (!isKnown) this.#knownSince.delete(cluster);
      else if (!this.#knownSince.has(cluster)) this.#knownSince.set(cluster, at);
    }
  }

  #takeUp(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { host, write } of waiting) {
      this.#landing = { host, at: write.at };
      if (write.actor === '') this.#lastChange.set(host, write.at);
      if (host === MANAGEMENT) {
        this.#manage(write);
        this.#noteKnown(write.at);
      } else this.#discover(host, write);
      this.#guard.check(write.after === undefined || write.after.kind === 'KubernetesCluster');
    }
  }

  #manage({ before, after }: Write): void {
    const { fleetState: fleet } = this.#plane;
    const last = (after ?? before) as KubeObject;
    this.#graph.commit((transaction) => {
      // While a cluster is registered, all of its objects count.
      if (last.kind === 'KubernetesCluster' && (before === undefined) !== (after === undefined))
        for (const object of this.#notify.get(last.metadata.name)?.values() ?? [])
          if (after !== undefined) setObject(transaction, fleet, last.metadata.name, object);
          else deleteObject(transaction, fleet, last.metadata.name, nameOf(object));
      if (after !== undefined) {
        setObject(transaction, fleet, MANAGEMENT_CLUSTER, after.kind === 'Ledger' ? after : withoutNoise(after));
      } else if (before !== undefined) deleteObject(transaction, fleet, MANAGEMENT_CLUSTER, nameOf(before));
    });
  }

  #discover(cluster: string, { before, after }: Write): void {
    const last = (after ?? before) as KubeObject;
    const found = this.#discoveries.get(cluster);
    const source = found?.discovery.inputs.get(kindKey({ group: groupOf(last.apiVersion), kind: last.kind }));
    if (source !== undefined && found !== undefined) {
      const { graph, discovery } = found;
      const results: Array<{ before: KubeObject | undefined; after: KubeObject | undefined }> = [];
      const unlisten = graph.subscribe((changes) => {
        for (const collection of [discovery.meshes, discovery.workloads, discovery.destinations])
          for (const change of changes.of<KubeObject>(collection)) results.push(change);
      });
      graph.commit((transaction) => {
        if (after === undefined) transaction.delete(source, objectKey(last));
        else transaction.set(source, objectKey(last), withoutNoise(after));
      });
      unlisten();
      for (const result of results) this.#report(cluster, result.before, result.after);
      return;
    }
    if (last.kind === 'Namespace') {
      this.#report(cluster, before && namespaceObject(before), after && namespaceObject(after));
    } else if ((policyKinds as readonly string[]).includes(last.kind) || last.kind === SHEET.kind) {
      this.#report(cluster, before, after === undefined ? undefined : withoutNoise(after));
    }
  }

  #report(cluster: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const { fleetState: fleet } = this.#plane;
    const notify = this.#notify.get(cluster) ?? new Map<string, KubeObject>();
    this.#notify.set(cluster, notify);
    const id = JSON.stringify(nameOf((after ?? before) as KubeObject));
    if (after === undefined) notify.delete(id);
    else notify.set(id, after);
    if (!fleet.clusters.has(key(cluster))) return;
    this.#graph.commit((transaction) => {
      if (after !== undefined) setObject(transaction, fleet, cluster, after);
      else if (before !== undefined) deleteObject(transaction, fleet, cluster, nameOf(before));
    });
  }

  #became(cluster: string, id: string, content: string): void {
    const { at, host } = this.#landing;
    const known =
      this.#expected.get(keyOf(cluster, id)) ?? new Map([[ABSENT, [{ from: 0, to: Number.POSITIVE_INFINITY }]]]);
    this.#expected.set(keyOf(cluster, id), known);
    for (const intervals of known.values()) {
      const last = intervals.at(-1);
      if (last?.to === Number.POSITIVE_INFINITY) Object.assign(last, { to: at, endedAt: host });
    }
    const intervals = known.get(content) ?? [];
    known.set(content, intervals);
    intervals.push({ from: at, to: Number.POSITIVE_INFINITY });
  }
}

function nameOf({ apiVersion, kind, metadata: { namespace = '', name } }: KubeObject) {
  return { group: groupOf(apiVersion), kind, namespace, name };
}

function keyOf(cluster: string, id: string): string {
  return `${cluster} ${id}`;
}
