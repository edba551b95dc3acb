/** Which agents are connected here, and what became of what they were sent. */
import {
  type Hello,
  type KindLag,
  type ObjectKey,
  type ObjectRejection,
  objectId,
  type RelaySession,
} from '@meshrelay/relay-protocol';
import type { ClusterAnnouncement } from '../replicas/cluster-announcement.ts';
import { lagStep } from '../status/cluster-status.ts';

/** How one cluster's agent stands with the replica it is connected to. */
export interface ClusterConnection {
  /** That replica's name; undefined for this one. */
  readonly replica?: string | undefined;
  readonly push: boolean;
  readonly pull: boolean;
  /** Address and port the agent comes from. */
  readonly address: string | undefined;
  /** End of the agent's certificate. */
  readonly certificateExpiry: Date | undefined;
  /** What its agent refused to apply or could not, by object. An object leaves when a later state of it was taken. */
  readonly refused: ReadonlyMap<string, ObjectRejection>;
  /** Components of the vector in which its agent has seen newer inputs than this replica knows. */
  readonly behind: readonly string[];
  /** The hello of its newest stream, also when that has ended; undefined before it ever had one here. */
  readonly hello: Hello | undefined;
  /** When the newest of its open streams was opened. */
  readonly openedAt: Date | undefined;
  /** When its last stream ended. */
  readonly leftAt: Date | undefined;
  /** Milliseconds since the oldest change that one side could not tell the other: inputs the server, outputs the agent. */
  readonly lag: { readonly inputs: number; readonly outputs: number };
  /** What keeps a cluster that the server reaches itself from being reached. */
  readonly problem?: string | undefined;
}

/** Why it is not known whether a cluster's agent is connected to another replica. */
export interface Unheard {
  /** The replica that it was connected to, where that is silent; undefined where Redis is not reached. */
  readonly silentReplica: string | undefined;
  readonly since: Date;
}

interface State {
  hello: Hello | undefined;
  openedAt: Date | undefined;
  readonly lag: { inputs: number; outputs: number };
  problem: string | undefined;
  /** Each with the end of its certificate. */
  readonly streams: Map<RelaySession, Date | undefined>;
  readonly refused: Map<string, ObjectRejection>;
  behind: readonly string[];
  /** When its last stream ended; undefined before it ever had one here. */
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
  /** What other replicas tell of clusters. */
  readonly #onPeer = new Map<string, ClusterAnnouncement>();
  /** Clusters whose agent was connected to a replica that says nothing any more. */
  readonly #silent = new Map<string, Unheard>();
  readonly #staleSince: () => Date | undefined;
  readonly #listeners = new Set<(cluster: string) => void>();

  /** @param staleSince since when other replicas are not heard at all; undefined while they are */
  constructor(now: () => Date = () => new Date(), staleSince: () => Date | undefined = () => undefined) {
    this.#now = now;
    this.#staleSince = staleSince;
    this.#begun = now();
  }

  /** Calls back when a cluster's standing has changed. @returns what ends it */
  listen(listener: (cluster: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A stream opened. @returns what to call when it ends */
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

  /** The agent took these states of objects, deletions among them. */
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

  /** The agent has newer inputs in these components; none: it has caught up. */
  behind(cluster: string, components: readonly string[]): void {
    const state = this.#state(cluster);
    if (state.behind.join() === components.join()) return;
    state.behind = components;
    this.#changed(cluster);
  }

  /** How far one side is behind what the other has. Told on only in steps. */
  lags(cluster: string, which: 'inputs' | 'outputs', lags: readonly KindLag[]): void {
    const state = this.#state(cluster);
    const before = state.lag[which];
    const after = lags.reduce((max, { age }) => Math.max(max, age), 0);
    state.lag[which] = after;
    if (lagStep(after) !== lagStep(before)) this.#changed(cluster);
  }

  /** A cluster that the server reaches itself cannot be reached, for this reason; or it can. */
  troubled(cluster: string, problem: string | undefined): void {
    const state = this.#state(cluster);
    if (state.problem === problem) return;
    state.problem = problem;
    this.#changed(cluster);
  }

  /** The cluster's registration ended. */
  forget(cluster: string): void {
    this.#onPeer.delete(cluster);
    this.#silent.delete(cluster);
    this.#clusters.delete(cluster);
  }

  of(cluster: string): ClusterConnection {
    const onPeer = this.#onPeer.get(cluster);
    // By which credential a cluster is reached, each replica tries for itself.
    if (onPeer !== undefined && !this.isHere(cluster))
      return { ...connectionOf(onPeer), problem: this.#clusters.get(cluster)?.problem };
    return this.here(cluster) ?? NOTHING;
  }

  /** Whether a stream of the cluster is open here. */
  isHere(cluster: string): boolean {
    return (this.#clusters.get(cluster)?.streams.size ?? 0) > 0;
  }

  /** Whether another replica says that the cluster is connected to it, and it is not connected here. */
  isOnPeer(cluster: string): boolean {
    return !this.isHere(cluster) && this.#onPeer.get(cluster)?.record.connected === true;
  }

  /**
   * Other replicas say this of a cluster; undefined: nothing any more.
   * @param speakers the names of the replicas that are heard
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

  /** The replica that was last known to have the cluster's agent and is not heard any more. What others say of the time before does not count. */
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

  /** Why it is not known how a cluster stands; undefined where it is. */
  unheard(cluster: string): Unheard | undefined {
    if (this.isHere(cluster)) return undefined;
    const since = this.#staleSince();
    return since === undefined ? this.#silent.get(cluster) : { silentReplica: undefined, since };
  }

  /** What other replicas say of a cluster. */
  announcementOfPeer(cluster: string): ClusterAnnouncement | undefined {
    return this.#onPeer.get(cluster);
  }

  /** Clusters of which other replicas say something, or did before they fell silent. */
  get onPeer(): Iterable<string> {
    return new Set([...this.#onPeer.keys(), ...this.#silent.keys()]);
  }

  /** How a cluster stands with this replica itself; undefined where it never was connected here. */
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

  /** Since when a cluster that is not connected has been so, as far as is known: at the earliest since this replica's own start. */
  awaySince(cluster: string): Date {
    const left = this.#onPeer.get(cluster)?.record.lastHeardAt;
    const known = [this.#clusters.get(cluster)?.left, left === undefined ? undefined : new Date(left)];
    const last = known.flatMap((at) => at?.getTime() ?? []).sort((a, b) => b - a)[0];
    return last === undefined ? this.#begun : new Date(last);
  }

  /** Clusters that were connected here since they were registered. */
  get clusters(): Iterable<string> {
    return [...this.#clusters.keys()];
  }

  /** How many clusters have both streams open here. */
  get connected(): number {
    return [...this.#clusters.keys()].map((cluster) => this.here(cluster)).filter((one) => one?.push && one.pull)
      .length;
  }

  /** How far the cluster that is connected here and furthest behind is, each way, in milliseconds. */
  get longestLag(): { readonly inputs: number; readonly outputs: number } {
    const lags = [...this.#clusters.values()].map(({ lag }) => lag);
    const max = (of: 'inputs' | 'outputs'): number => lags.reduce((sum, lag) => Math.max(sum, lag[of]), 0);
    return { inputs: max('inputs'), outputs: max('outputs') };
  }

  /** How many objects are refused in all clusters. */
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
  const { connected, certificateExpiry, connectedAt, lastHeardAt, inputs, outputs } = record;
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
    leftAt: date(lastHeardAt),
    lag: { inputs: inputs.lag, outputs: outputs.lag },
  };
}

function isSame(a: ObjectRejection | undefined, b: ObjectRejection): boolean {
  return a !== undefined && a.hash === b.hash && a.code === b.code && a.reason === b.reason;
}
