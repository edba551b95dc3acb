/**
 * Synchronizes memory and Redis. Memory is authoritative for clusters whose agents are connected here, so no caller
 * waits for Redis. A change is written later, and of several changes of a key only the latest. Without Redis the server
 * continues; when it returns, both sides are compared.
 */
import { Backoff } from '@meshrelay/concurrency';
import { kindId } from '../snapshot.ts';
import type { ConnectRedis, RedisConnection } from './connection.ts';
import type { RedisLayout } from './layout.ts';
import { readDifference } from './read-difference.ts';
import { RemoteSnapshots, STEPS_AT_ONCE, type Surveyed } from './remote-snapshots.ts';
import type { Corruption, Sealer, SealLocation } from './seal.ts';
import type { RedisLimits } from './settings.ts';
import type { SharedCluster } from './shared-cluster.ts';
import type { SharedClusters } from './shared-clusters.ts';
import { compareStored, type StoredVersion, versionText } from './stored-version.ts';
import { comparedAt, type Head, type Step } from './values.ts';
import { Wake } from './wake.ts';
import { Words } from './words.ts';
import { sealState } from './write-state.ts';

/** Events for operators. */
export type RedisEvent =
  | { readonly type: 'connected'; readonly afterMs: number }
  /** Redis is unreachable, since the start or since a failure; repeated for each different reason. */
  | { readonly type: 'disconnected'; readonly error: Error }
  /** A value in Redis is corrupt; it counts as unknown. */
  | {
      readonly type: 'damaged';
      readonly cluster: string;
      readonly what: SealLocation['kind'];
      readonly corruption: Corruption;
    }
  /** All data of a cluster was rewritten, because Redis had lost it, or had an older state. */
  | { readonly type: 'rewritten'; readonly cluster: string };

export interface ReplicationOptions {
  readonly connect: ConnectRedis;
  readonly layout: RedisLayout;
  readonly sealer: Sealer;
  readonly limits: RedisLimits;
  /** Unique name of this process among all past and present replicas. */
  readonly replica: string;
  readonly clusters: SharedClusters;
  readonly onEvent: (event: RedisEvent) => void;
  /** A replica changed its announcements on these topics, or started, or stopped. */
  readonly onAnnounced: (replica: string, topics: readonly string[]) => void;
  readonly random: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Milliseconds between comparisons of all versions, which find changes that the stream missed. */
const SURVEY_EVERY = 2_000;
/** Milliseconds after which any replica with the data writes it, although the agent is not connected to it. */
const RESCUE_AFTER = 1_000;
/** Minimum milliseconds between two full writes of a cluster, whatever is wrong with it. */
const WHOLE_EVERY = 3_000;
/** Clusters written concurrently. */
const WRITERS = 8;
const PAUSES = { first: 100, longest: 5_000 };
/** Milliseconds that a read of the stream blocks. */
const BLOCK = 2_000;
/** Milliseconds at a graceful shutdown to write pending changes. */
const LAST_WORDS = 1_000;
/** Maximum number of reasons reported for one outage. */
const MAX_REASONS = 10;

/** The two loops, each over a connection of its own, because a reader of the stream blocks its connection. */
type Side = 'write' | 'follow';

export class Replication implements AsyncDisposable {
  readonly #options: ReplicationOptions;
  readonly #wake = new Wake();
  readonly #stopped = new AbortController();
  readonly #connections = new Set<RedisConnection>();
  /** Clusters to compare with Redis. */
  readonly #compare = new Set<string>();
  /** Clusters that the write loop is processing. */
  readonly #busy = new Set<string>();
  readonly #lastWhole = new Map<string, number>();
  readonly #lastRequested = new Map<string, number>();
  readonly words: Words = new Words();
  /** Whether to read all announcements of other replicas. */
  #listenAgain = true;
  readonly #first = Promise.withResolvers<void>();
  #surveyAt = 0;
  readonly #working = new Set<Side>();
  #connected = false;
  /** Reported reasons of the present outage. */
  readonly #reasons = new Set<string>();
  #since: number;
  #corruptions = 0;
  #loops: Promise<unknown> | undefined;

  constructor(options: ReplicationOptions) {
    this.#options = options;
    this.#since = options.now();
  }

  /** Whether Redis works. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Start of the present connection state, in monotonic milliseconds. */
  get since(): number {
    return this.#since;
  }

  /** Number of corrupt values so far. */
  get corruptions(): number {
    return this.#corruptions;
  }

  /** Starts. Resolves after the first read of Redis' state; never rejects. */
  start(): Promise<void> {
    this.#loops = Promise.all([
      this.#keep('write', (remote, worked) => this.#write(remote, worked)),
      this.#keep('follow', (remote, worked) => this.#follow(remote, worked)),
    ]);
    return this.#first.promise;
  }

  /** Announces something on a topic to the other replicas. */
  broadcast(topic: string, body: string | undefined): void {
    this.words.broadcast(topic, body);
    this.#wake.now();
  }

  /** Signals pending changes. */
  wake(): void {
    this.#wake.now();
  }

  /** Writes pending changes, if Redis accepts them soon; then stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    this.#wake.now();
    const timer = setTimeout(() => this.#closeAll(), LAST_WORDS);
    if (!this.#connected) this.#closeAll();
    await this.#loops;
    clearTimeout(timer);
  }

  #closeAll(): void {
    for (const connection of this.#connections) connection.close();
  }

  get #ended(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Runs a loop, each iteration over a new connection. */
  async #keep(side: Side, work: (remote: RemoteSnapshots, worked: () => void) => Promise<void>): Promise<void> {
    const { connect, layout, sealer, limits, random } = this.#options;
    const retryBackoff = new Backoff({ ...PAUSES, random });
    const worked = (): void => {
      retryBackoff.reset();
      this.#works(side);
    };
    while (!this.#ended) {
      let connection: RedisConnection | undefined;
      try {
        connection = await connect();
        this.#connections.add(connection);
        await work(new RemoteSnapshots({ connection, layout, sealer, limits }), worked);
      } catch (error) {
        this.#failed(side, error as Error);
      } finally {
        if (connection !== undefined) this.#connections.delete(connection);
        connection?.close();
      }
      await this.#pause(retryBackoff.next());
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#ended) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#stopped.signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
  }

  /** The write loop: compares, writes, and waits for more. */
  async #write(remote: RemoteSnapshots, worked: () => void): Promise<void> {
    this.#surveyAt = 0;
    this.words.repeat();
    this.#listenAgain = true;
    do {
      if (this.#options.now() >= this.#surveyAt) await this.#survey(remote);
      await this.#writeAll(remote);
      await this.#broadcast(remote);
      worked();
      await this.#wake.sleep(this.#ended ? 0 : this.#nextWork());
    } while (!this.#ended);
    await this.#writeAll(remote);
    await this.#broadcast(remote);
    this.#closeAll();
  }

  #nextWork(): number {
    const now = this.#options.now();
    const rescues = this.#options.clusters.all().flatMap(({ takeoverAt }) => takeoverAt ?? []);
    return Math.max(1, Math.min(this.#surveyAt, ...rescues.map((at) => Math.max(at, now + 50))) - now);
  }

  #works(side: Side): void {
    if (side === 'write') this.#first.resolve();
    this.#working.add(side);
    if (this.#connected || this.#working.size < 2) return;
    const { now, onEvent } = this.#options;
    const before = this.#since;
    this.#connected = true;
    this.#reasons.clear();
    this.#since = now();
    onEvent({ type: 'connected', afterMs: this.#since - before });
  }

  #failed(side: Side, error: Error): void {
    this.#working.delete(side);
    if (this.#ended) return;
    if (this.#connected) this.#since = this.#options.now();
    this.#connected = false;
    // The error of a lost connection seldom shows why the next one fails: a rejected password, for example, is reported
    // then.
    if (this.#reasons.has(error.message) || this.#reasons.size >= MAX_REASONS) return;
    this.#reasons.add(error.message);
    this.#options.onEvent({ type: 'disconnected', error });
  }

  /** Writes pending announcements, in the order of the topics' first change. */
  async #broadcast(remote: RemoteSnapshots): Promise<void> {
    while (this.words.hasUnsaid) {
      const words = this.words.takeUnsaid();
      try {
        await remote.broadcast(this.#options.replica, words);
      } catch (error) {
        this.words.repeat();
        throw error;
      }
    }
  }

  /** Reads the live replicas, and their announcements if some may have been missed. */
  async #hear(remote: RemoteSnapshots): Promise<void> {
    const { replica, now, onAnnounced } = this.#options;
    const { cached, counts } = await remote.beat(replica);
    const again = this.#listenAgain || (!cached && this.words.hasOwn);
    if (!cached) this.words.repeat();
    for (const [name, topics] of this.words.beats(counts, now(), this.#listenAgain)) onAnnounced(name, topics);
    for (const name of this.words.forgetGone(now()))
      await remote.forget(name, (await remote.words()).get(name)?.map(([topic]) => topic) ?? []);
    if (!again) return;
    for (const [name, words] of await remote.words()) {
      if (name === replica || !counts.has(name)) continue;
      const pendingUpdates = this.words.peerAnnouncements(name, words, now());
      if (pendingUpdates.length > 0) onAnnounced(name, pendingUpdates);
    }
    this.#listenAgain = false;
  }

  /** Compares the versions of all clusters. */
  async #survey(remote: RemoteSnapshots): Promise<void> {
    const { clusters, now, random, limits } = this.#options;
    await this.#hear(remote);
    const found = await remote.survey();
    this.#surveyAt = now() + SURVEY_EVERY * (0.75 + random() / 2);
    const names = new Set(found.map(({ cluster }) => cluster));
    for (const one of found) if (clusters.size < limits.clusters || clusters.get(one.cluster)) this.#surveyed(one);
    for (const shared of clusters.all()) {
      if (names.has(shared.cluster) || !shared.known) continue;
      // Only data that Redis was believed to have can be missing.
      shared.there = '';
      shared.forgetBase();
      this.#rescue(shared);
    }
    // The replica with the data may not have been running at the last request.
    for (const shared of clusters.all()) if (shared.corrupt) await this.#need(remote, shared);
  }

  #surveyed({ cluster, version, fields }: Surveyed): void {
    const shared = this.#options.clusters.ensure(cluster);
    const { base } = shared;
    if (base === undefined || versionText(base.version) !== version) {
      this.#compare.add(cluster);
    } else if (base.fields !== undefined && base.fields !== fields && !shared.corrupt) {
      this.#corrupt(cluster, 'object', fields === -1 ? 'type' : 'lost');
      shared.forgetBase();
      this.#rescue(shared);
    }
  }

  /** A full write is needed: by the replica with the cluster's agent, or after a delay by any replica with the data. */
  #rescue(shared: SharedCluster): void {
    const { now, random } = this.#options;
    if (shared.mine || !shared.sound || shared.takeoverAt !== undefined) return;
    if (shared.removed && shared.there === '') return;
    shared.takeoverAt = now() + RESCUE_AFTER * (1 + 2 * random());
  }

  async #writeAll(remote: RemoteSnapshots): Promise<void> {
    for (;;) {
      const due = this.#options.clusters.all().filter((shared) => this.#isDue(shared));
      if (due.length === 0) return;
      const waiting = due.values();
      const writers = Array.from({ length: Math.min(WRITERS, due.length) }, async () => {
        for (const shared of waiting) await this.#bring(remote, shared);
      });
      // All writers must have ended before they restart over another connection.
      for (const ended of await Promise.allSettled(writers)) if (ended.status === 'rejected') throw ended.reason;
    }
  }

  #isDue(shared: SharedCluster): boolean {
    if (this.#compare.has(shared.cluster)) return true;
    if (!shared.isBehind) return false;
    const now = this.#options.now();
    if (shared.base === undefined && now < (this.#lastWhole.get(shared.cluster) ?? Number.NEGATIVE_INFINITY)) {
      shared.takeoverAt ??= this.#lastWhole.get(shared.cluster);
      return false;
    }
    if (shared.mine) return true;
    // Any replica writes a removal that it has received.
    if (shared.removed && shared.there !== '') return true;
    return shared.takeoverAt !== undefined && shared.takeoverAt <= now;
  }

  async #bring(remote: RemoteSnapshots, shared: SharedCluster): Promise<void> {
    this.#busy.add(shared.cluster);
    try {
      if (this.#compare.delete(shared.cluster)) await this.#comparedWith(remote, shared);
      else await this.#written(remote, shared);
    } finally {
      this.#busy.delete(shared.cluster);
    }
  }

  async #written(remote: RemoteSnapshots, shared: SharedCluster): Promise<void> {
    const { replica, limits, now, onEvent } = this.#options;
    const { cluster, there } = shared;
    const capture = shared.capture();
    const whole = capture.base === undefined;
    if (whole) this.#lastWhole.set(cluster, now() + WHOLE_EVERY);
    try {
      const state = await sealState(remote, { cluster, capture, there, from: replica }, limits);
      const outcome = await remote.commit(state);
      if (outcome.result === 'ok') {
        shared.written(capture);
        if (whole && there !== '') onEvent({ type: 'rewritten', cluster });
        return;
      }
      shared.failed();
      if (outcome.result === 'gone') {
        shared.forgetBase();
      } else if (outcome.result === 'overtaken') {
        shared.there = outcome.there;
        this.#lastWhole.delete(cluster);
        this.#compare.add(cluster);
      }
    } catch (error) {
      shared.failed();
      this.#lastWhole.delete(cluster);
      throw error;
    }
  }

  /** Compares with Redis, and ingests its state or decides to overwrite it. */
  async #comparedWith(remote: RemoteSnapshots, shared: SharedCluster): Promise<void> {
    const { cluster } = shared;
    const found = await remote.head(cluster);
    if (found.state !== 'known') {
      shared.there = found.state === 'none' ? '' : found.version;
      if (found.state === 'damaged') this.#corrupt(cluster, 'head', found.corruption);
      shared.forgetBase();
      if (shared.sound) this.#rescue(shared);
      else if (found.state === 'damaged') await this.#need(remote, shared);
      return;
    }
    const order = shared.known ? compareStored(found.version, shared.version) : 1;
    shared.there = versionText(found.version);
    if (order > 0 || (order === 0 && !shared.mine)) return this.#ingest(remote, shared, found.head, found.version);
    if (order === 0 && isAlike(found.head, shared)) {
      shared.confirm(found.version);
      return;
    }
    shared.forgetBase();
    this.#rescue(shared);
  }

  async #ingest(remote: RemoteSnapshots, shared: SharedCluster, head: Head, version: StoredVersion): Promise<void> {
    const { clusters } = this.#options;
    if (head.removed) {
      clusters.takeUpRemoval(shared, version);
      return;
    }
    const { changes } = shared;
    const difference = await readDifference(remote, shared.cluster, head, shared.held);
    // The agent sent changes meanwhile: the state read may be older.
    if (shared.changes !== changes) {
      this.#compare.add(shared.cluster);
      return;
    }
    if (difference.corrupt.length > 0) {
      const again = await remote.head(shared.cluster);
      if (again.state !== 'known' || compareStored(again.version, version) !== 0 || shared.changes !== changes) {
        this.#compare.add(shared.cluster);
        return;
      }
      for (const { what, corruption } of difference.corrupt) this.#corrupt(shared.cluster, what, corruption);
    }
    shared.corrupt = difference.corrupt.length > 0;
    // Unreadable objects keep their earlier state, so all data together is at most of the earlier compared version.
    const before = shared.version.life === version.life ? shared.held?.compared : undefined;
    const compared = shared.corrupt ? before : comparedAt(head, version);
    clusters.ingest(shared, version, { ...difference, compared }, false);
    if (shared.corrupt) await this.#need(remote, shared);
  }

  /** Requests a full write from the replica with the data. */
  async #need(remote: RemoteSnapshots, { cluster, version }: SharedCluster): Promise<void> {
    const { replica: from, now } = this.#options;
    if (now() < (this.#lastRequested.get(cluster) ?? Number.NEGATIVE_INFINITY)) return;
    this.#lastRequested.set(cluster, now() + WHOLE_EVERY);
    await remote.announce({ type: 'wanted', from, cluster, version });
  }

  #corrupt(cluster: string, what: SealLocation['kind'], corruption: Corruption): void {
    this.#corruptions += 1;
    this.#options.onEvent({ type: 'damaged', cluster, what, corruption });
  }

  /** The read loop: follows the stream. */
  async #follow(remote: RemoteSnapshots, worked: () => void): Promise<void> {
    let at = await remote.tip();
    // Earlier changes are found by comparing.
    this.#listenAgain = true;
    this.#surveySoon();
    worked();
    while (!this.#ended) {
      const steps = await remote.stepsAfter(at, BLOCK);
      worked();
      for (const { id, step } of steps) {
        at = id;
        if (step.type === 'damaged') {
          this.#corrupt('', 'step', step.corruption);
          this.#surveySoon();
        } else if (step.from !== this.#options.replica) this.#take(step);
      }
      // A reader that is this far behind may have missed trimmed entries.
      if (steps.length === STEPS_AT_ONCE) {
        this.#listenAgain = true;
        this.#surveySoon();
      }
    }
  }

  #surveySoon(): void {
    this.#surveyAt = 0;
    this.#wake.now();
  }

  #take(step: Step): void {
    const { clusters, now, onAnnounced } = this.#options;
    if (step.type === 'announced') {
      const words = step.words.map(([topic, body]) => [topic, body ?? undefined] as const);
      const pendingUpdates = this.words.peerAnnouncements(step.from, words, now());
      if (pendingUpdates.length > 0) onAnnounced(step.from, pendingUpdates);
      return;
    }
    const shared = clusters.get(step.cluster);
    if (step.type === 'wanted') {
      if (shared === undefined || !shared.sound || compareStored(shared.version, step.version) < 0) return;
      shared.forgetBase();
      this.#rescue(shared);
      this.#wake.now();
      return;
    }
    if (shared !== undefined && !shared.mine) shared.takeoverAt = undefined;
    if (
      step.type === 'step' &&
      shared?.held !== undefined &&
      !this.#busy.has(step.cluster) &&
      !this.#compare.has(step.cluster) &&
      !shared.corrupt &&
      !shared.isBehind &&
      compareStored(step.before, shared.version) === 0
    ) {
      const kinds = step.kinds.map((kind) => ({ ...kind, missing: [] }));
      const compared = comparedAt(step, step.version);
      clusters.ingest(shared, step.version, { kinds, compared, fields: step.fields }, step.observed);
      if (step.kinds.every(({ kind, digest }) => shared.digestOf(kindId(kind)) === digest)) return;
      shared.forgetBase();
    } else if (shared !== undefined && compareStored(step.version, shared.version) < 0) {
      return;
    }
    clusters.ensure(step.cluster);
    this.#compare.add(step.cluster);
    this.#wake.now();
  }
}

/** Whether a head matches the memory exactly. */
function isAlike(head: Head, shared: SharedCluster): boolean {
  if (head.removed || shared.removed) return head.removed === shared.removed;
  const named = head.kinds.filter(({ buckets }) => buckets.length > 0).length;
  const own = [...(shared.held?.kinds.values() ?? [])].filter(({ size }) => size > 0).length;
  return named === own && head.kinds.every(({ kind, digest }) => shared.digestOf(kindId(kind)) === digest);
}
