/** Agents connected to this replica, and the results of the objects sent to them. */
import {
  type Hello,
  type KindLag,
  type ObjectKey,
  type ObjectRejection,
  objectId,
  type RelaySession,
} from '@meshrelay/relay-protocol';
import type { ClusterAnnouncement } from '../replicas/cluster-announcement.ts';
import { lagStep } from '../status/lag-step.ts';

/** State of one cluster's agent at the replica it is connected to. */
export interface ClusterConnection {
  /** Name of that replica; undefined for this one. */
  readonly replica?: string | undefined;
  readonly push: boolean;
  readonly pull: boolean;
  /** Remote address and port of the agent. */
  readonly address: string | undefined;
  /** Expiry of the agent's certificate. */
  readonly certificateExpiry: Date | undefined;
  /**
   * Objects that the agent rejected or failed to apply. An object is removed once the agent accepts a later state of
   * it.
   */
  readonly refused: ReadonlyMap<string, ObjectRejection>;
  /** Components of the vector in which the agent has seen newer inputs than this replica. */
  readonly behind: readonly string[];
  /** The hello of its newest stream, also after that has ended; undefined before its first stream here. */
  readonly hello: Hello | undefined;
  /** When the newest of its open streams was opened. */
  readonly openedAt: Date | undefined;
  /** When its last stream ended. */
  readonly leftAt: Date | undefined;
  /** Milliseconds since the oldest change that is not delivered yet: inputs to the server, outputs to the agent. */
  readonly lag: { readonly inputs: number; readonly outputs: number };
  /** Why the server cannot reach a directly registered cluster. */
  readonly problem?: string | undefined;
}

/** Why it is unknown whether a cluster's agent is connected to another replica. */
export interface Unheard {
  /** The replica that it was connected to, if that one is silent; undefined if Redis is unreachable. */
  readonly silentReplica: string | undefined;
  readonly since: Date;
}

interface State {
  hello: Hello | undefined;
  openedAt: Date | undefined;
  readonly lag: { inputs: number; outputs: number };
  problem: string | undefined;
  /** Each with the expiry of its certificate. */
  readonly streams: Map<RelaySession, Date | undefined>;
  readonly refused: Map<string, ObjectRejection>;
  behind: readonly string[];
  /** When its last stream ended; undefined before its first stream here. */
  left: Date | undefined;
}

const NOTHING: ClusterConnection = {
  push: false,
  pull: false,
  address: undefined,
  certificateExpiry: undefined,
  refused: new Map(),
  behind: [],
  hello: undefined,
  openedAt: undefined,
  leftAt: undefined,
  lag: { inputs: 0, outputs: 0 },
};

export class Connections {
  readonly #now: () => Date;
  readonly #begun: Date;
  readonly #clusters = new Map<string, State>();
  /** Announcements of clusters by other replicas. */
  readonly #onPeer = new Map<string, ClusterAnnouncement>();
  /** Clusters whose agent was connected to a replica that is silent now. */
  readonly #silent = new Map<string, Unheard>();
  readonly #staleSince: () => Date | undefined;
  readonly #listeners = new Set<(cluster: string) => void>();

  /** @param staleSince since when announcements of other replicas cannot be read; undefined while they can */
  constructor(now: () => Date = () => new Date(), staleSince: () => Date | undefined = () => undefined) {
    this.#now = now;
    this.#staleSince = staleSince;
    this.#begun = now();
  }

  /** Calls back when a cluster's connection state has changed. @returns a function that unsubscribes */
  listen(listener: (cluster: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A stream opened. @returns the function to call when it ends */
  opened(session: RelaySession, certificateExpiry?: Date): () => void {
    const { cluster } = session;
    const state = this.#state(cluster);
    const { streams } = state;
    streams.set(session, certificateExpiry);
    state.hello = session.hello;
    state.openedAt = this.#now();
    this.#silent.delete(cluster);
    this.#changed(cluster);
    return () => {
      if (!streams.delete(session)) return;
      state.left = this.#now();
      Object.assign(state.lag, { inputs: 0, outputs: 0 });
      this.#changed(cluster);
    };
  }

  /** The agent accepted these states of objects, including deletions. */
  taken(cluster: string, objects: readonly ObjectKey[]): void {
    const { refused } = this.#state(cluster);
    const cleared = objects.filter((object) => refused.delete(objectId(object)));
    if (cleared.length > 0) this.#changed(cluster);
  }

  refused(cluster: string, rejections: readonly ObjectRejection[]): void {
    const { refused } = this.#state(cluster);
    const pendingUpdates = rejections.filter((rejection) => !isSame(refused.get(objectId(rejection.key)), rejection));
    for (const rejection of pendingUpdates) refused.set(objectId(rejection.key), rejection);
    if (pendingUpdates.length > 0) this.#changed(cluster);
  }

  /** The agent has newer inputs in these components; empty once this replica has caught up. */
  behind(cluster: string, components: readonly string[]): void {
    const state = this.#state(cluster);
    if (state.behind.join() === components.join()) return;
    state.behind = components;
    this.#changed(cluster);
  }

  /** Records how far one side is behind the other. Listeners are notified in steps only. */
  lags(cluster: string, which: 'inputs' | 'outputs', lags: readonly KindLag[]): void {
    const state = this.#state(cluster);
    const before = state.lag[which];
    const after = lags.reduce((max, { age }) => Math.max(max, age), 0);
    state.lag[which] = after;
    if (lagStep(after) !== lagStep(before)) this.#changed(cluster);
  }

  /** Records why the server cannot reach a directly registered cluster; undefined once it can. */
  setProblem(cluster: string, problem: string | undefined): void {
    const state = this.#state(cluster);
    if (state.problem === problem) return;
    state.problem = problem;
    this.#changed(cluster);
  }

  forget(cluster: string): void {
    this.#onPeer.delete(cluster);
    this.#silent.delete(cluster);
    this.#clusters.delete(cluster);
  }

  of(cluster: string): ClusterConnection {
    const onPeer = this.#onPeer.get(cluster);
    // Each replica tries the credential of a directly registered cluster itself.
    if (onPeer !== undefined && !this.isHere(cluster))
      return { ...connectionOf(onPeer), problem: this.#clusters.get(cluster)?.problem };
    return this.here(cluster) ?? NOTHING;
  }

  /** Whether a stream of the cluster is open here. */
  isHere(cluster: string): boolean {
    return (this.#clusters.get(cluster)?.streams.size ?? 0) > 0;
  }

  /** Whether another replica announces that the cluster is connected to it, and it is not connected here. */
  isOnPeer(cluster: string): boolean {
    return !this.isHere(cluster) && this.#onPeer.get(cluster)?.record.connected === true;
  }

  /**
   * Other replicas announce this for a cluster; undefined if they withdrew it.
   * @param speakers names of the replicas that are alive
   */
  onPeerAnnouncement(
    cluster: string,
    word: ClusterAnnouncement | undefined,
    speakers: readonly string[] = word === undefined ? [] : [word.record.replica],
  ): void {
    const before = this.#onPeer.get(cluster);
    const silent = this.#silentReplica(cluster, word, speakers);
    const wasSilent = this.#silent.get(cluster)?.silentReplica;
    if (silent === wasSilent && JSON.stringify(before) === JSON.stringify(word)) return;
    if (word === undefined) this.#onPeer.delete(cluster);
    else this.#onPeer.set(cluster, word);
    if (silent === undefined) this.#silent.delete(cluster);
    else if (silent !== wasSilent) this.#silent.set(cluster, { silentReplica: silent, since: this.#now() });
    this.#changed(cluster);
  }

  /**
   * The last known replica of the cluster's agent, if that replica is silent now. Announcements of others about the
   * time before do not count.
   */
  #silentReplica(
    cluster: string,
    word: ClusterAnnouncement | undefined,
    speakers: readonly string[],
  ): string | undefined {
    if (word?.record.connected === true || this.isHere(cluster)) return undefined;
    const before = this.#onPeer.get(cluster)?.record;
    const last = before?.connected === true ? before.replica : this.#silent.get(cluster)?.silentReplica;
    return last === undefined || speakers.includes(last) ? undefined : last;
  }

  /** Why the state of a cluster is unknown; undefined if it is known. */
  unheard(cluster: string): Unheard | undefined {
    if (this.isHere(cluster)) return undefined;
    const since = this.#staleSince();
    return since === undefined ? this.#silent.get(cluster) : { silentReplica: undefined, since };
  }

  /** The announcement of a cluster by other replicas. */
  announcementOfPeer(cluster: string): ClusterAnnouncement | undefined {
    return this.#onPeer.get(cluster);
  }

  /** Clusters that other replicas announce, or announced before they became silent. */
  get onPeer(): Iterable<string> {
    return new Set([...this.#onPeer.keys(), ...this.#silent.keys()]);
  }

  /** State of a cluster's connection to this replica; undefined if it never was connected here. */
  here(cluster: string): ClusterConnection | undefined {
    const state = this.#clusters.get(cluster);
    if (state === undefined) return undefined;
    const streams = [...state.streams.keys()];
    const [[first, certificateExpiry] = []] = state.streams;
    return {
      push: streams.some(({ stream }) => stream === 'push'),
      pull: streams.some(({ stream }) => stream === 'pull'),
      address: first?.address,
      certificateExpiry,
      refused: state.refused,
      behind: state.behind,
      hello: state.hello,
      openedAt: state.openedAt,
      leftAt: state.left,
      lag: state.lag,
      problem: state.problem,
    };
  }

  /** Since when a disconnected cluster is known to be so: at the earliest since this replica's start. */
  awaySince(cluster: string): Date {
    const left = this.#onPeer.get(cluster)?.record.lastConnectedTime;
    const known = [this.#clusters.get(cluster)?.left, left === undefined ? undefined : new Date(left)];
    const last = known.flatMap((at) => at?.getTime() ?? []).sort((a, b) => b - a)[0];
    return last === undefined ? this.#begun : new Date(last);
  }

  /** Clusters that were connected here since they were registered. */
  get clusters(): Iterable<string> {
    return [...this.#clusters.keys()];
  }

  /** Number of clusters with both streams open here. */
  get connected(): number {
    return [...this.#clusters.keys()].map((cluster) => this.here(cluster)).filter((one) => one?.push && one.pull)
      .length;
  }

  /** The longest lag of the clusters connected here, in each direction, in milliseconds. */
  get longestLag(): { readonly inputs: number; readonly outputs: number } {
    const lags = [...this.#clusters.values()].map(({ lag }) => lag);
    const max = (of: 'inputs' | 'outputs'): number => lags.reduce((sum, lag) => Math.max(sum, lag[of]), 0);
    return { inputs: max('inputs'), outputs: max('outputs') };
  }

  /** Mesh plugins whose discovery fails, as the agents connected here or to other replicas report. */
  get failedPlugins(): ReadonlyArray<{ readonly cluster: string; readonly plugin: string }> {
    const here = [...this.#clusters].map(([cluster, { hello }]) => [cluster, hello?.failedPlugins] as const);
    const onPeers = [...this.#onPeer].map(([cluster, { record }]) => [cluster, record.failedPlugins] as const);
    const reported = new Map([...here, ...onPeers.filter(([cluster]) => this.isOnPeer(cluster))]);
    return [...reported].flatMap(([cluster, failed = []]) =>
      failed.map((line) => ({ cluster, plugin: line.split(':', 1)[0] ?? line })),
    );
  }

  /** Number of rejected objects in all clusters. */
  get refusedObjects(): number {
    return [...this.#clusters.values()].reduce((sum, { refused }) => sum + refused.size, 0);
  }

  #changed(cluster: string): void {
    for (const listener of this.#listeners) listener(cluster);
  }

  #state(cluster: string): State {
    const known = this.#clusters.get(cluster);
    if (known !== undefined) return known;
    const state: State = {
      streams: new Map(),
      refused: new Map(),
      behind: [],
      left: undefined,
      hello: undefined,
      openedAt: undefined,
      lag: { inputs: 0, outputs: 0 },
      problem: undefined,
    };
    this.#clusters.set(cluster, state);
    return state;
  }
}

function connectionOf(word: ClusterAnnouncement): ClusterConnection {
  const { record, address, refused } = word;
  const { connected, certificateExpiry, connectedAt, lastConnectedTime, inputs, outputs } = record;
  const date = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));
  return {
    replica: record.replica,
    push: connected,
    pull: connected,
    address,
    certificateExpiry: date(certificateExpiry),
    refused: new Map(refused.map((rejection) => [objectId(rejection.key), rejection])),
    behind: outputs.behind,
    hello: undefined,
    openedAt: date(connectedAt),
    leftAt: date(lastConnectedTime),
    lag: { inputs: inputs.lag, outputs: outputs.lag },
  };
}

function isSame(a: ObjectRejection | undefined, b: ObjectRejection): boolean {
  return a !== undefined && a.hash === b.hash && a.code === b.code && a.reason === b.reason;
}
