/**
 * The snapshot store that several replicas share: each has everything in memory, and they exchange changes through
 * Redis. Nothing here waits for Redis, except the start, for a limited time.
 */
import { ChangeFeed } from '../change-feed.ts';
import type { ObjectKey, Snapshot, SnapshotDelta, SnapshotDigest, StoredObject } from '../snapshot.ts';
import type {
  ChangeOrigin,
  SnapshotChange,
  SnapshotStore,
  StoreStats,
  TermOpening,
  WriteResult,
} from '../snapshot-store.ts';
import type { ConnectRedis } from './connection.ts';
import { redisLayout } from './layout.ts';
import { type RedisEvent, Replication } from './replication.ts';
import { Sealer } from './seal.ts';
import { REDIS_LIMITS, type RedisLimits } from './settings.ts';
import { SharedClusters } from './shared-clusters.ts';

export interface RedisStoreOptions {
  readonly connect: ConnectRedis;
  /** Prefix of every key, as a hash tag. Servers of one fleet share it, and no others. */
  readonly prefix: string;
  /** Of 32 bytes each. The first one seals; the others open values that were sealed before the key was changed. */
  readonly keys: readonly Uint8Array[];
  /** Unique name of this process among all past and present replicas. */
  readonly replica: string;
  readonly limits?: Partial<RedisLimits>;
  /** Milliseconds that the start waits for the data in Redis; later data arrives as changes. */
  readonly timeoutMs?: number;
  readonly onEvent?: (event: RedisEvent) => void;
  readonly random?: () => number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** After this time, a server without the others' snapshots is better than none. */
const TIMEOUT_MS = 5_000;

export class RedisStore implements SnapshotStore {
  readonly #feed = new ChangeFeed();
  readonly #clusters = new SharedClusters(this.#feed);
  readonly #replication: Replication;
  readonly #sealer: Sealer;
  readonly #now: () => number;

  private constructor(options: RedisStoreOptions) {
    const { prefix, keys, connect, replica, onEvent = () => undefined, random = Math.random } = options;
    const limits = { ...REDIS_LIMITS, ...options.limits };
    this.#now = options.now ?? (() => performance.now());
    this.#sealer = new Sealer(prefix, keys, limits);
    this.#replication = new Replication({
      connect,
      layout: redisLayout(prefix),
      sealer: this.#sealer,
      limits,
      replica,
      clusters: this.#clusters,
      onEvent,
      onAnnounced: (from, topics) =>
        this.#feed.publish({ type: 'announced', replica: from, topics, origin: 'elsewhere' }),
      random,
      now: this.#now,
    });
  }

  /**
   * Reads the data in Redis if it answers in time; otherwise the data follows later. @throws RangeError for a key of
   * another length
   */
  static async start(options: RedisStoreOptions): Promise<RedisStore> {
    const store = new RedisStore(options);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, options.timeoutMs ?? TIMEOUT_MS);
    await Promise.race([store.#replication.start(), late]);
    clearTimeout(timer);
    return store;
  }

  /**
   * Seals and opens with other keys from now on. @throws RangeError for a key of another length; then nothing changes
   */
  rekey(keys: RedisStoreOptions['keys']): void {
    this.#sealer.rekey(keys);
  }

  async open(opening: TermOpening): Promise<WriteResult> {
    const { cluster, term, kinds } = opening;
    const known = this.#clusters.get(cluster)?.held;
    if (known !== undefined && term < known.version.term)
      return { accepted: false, reason: 'older', known: known.version };
    const shared = this.#clusters.ensure(cluster);
    const held = shared.begin(term);
    held.open(opening);
    shared.touched();
    this.#replication.wake();
    const { version, complete, compared } = held;
    this.#feed.publish({ type: 'opened', cluster, version, kinds, complete, compared, origin: 'here' });
    return { accepted: true, version };
  }

  async write(delta: SnapshotDelta): Promise<WriteResult> {
    const { cluster, kind, observed = false } = delta;
    const shared = this.#clusters.get(cluster);
    if (shared?.held === undefined) return { accepted: false, reason: 'not-opened', known: undefined };
    const step = shared.held.write(delta);
    if ('accepted' in step) return step;
    shared.mine = true;
    shared.changed(kind, step, observed);
    this.#replication.wake();
    const { version, complete, compared } = shared.held;
    const stands = { complete, compared, observed };
    this.#feed.publish({ type: 'written', cluster, version, kind, ...step, ...stands, origin: 'here' });
    return { accepted: true, version };
  }

  async read(cluster: string): Promise<Snapshot | undefined> {
    return this.#clusters.get(cluster)?.held?.snapshot();
  }

  async lookUp(cluster: string, keys: readonly ObjectKey[]): Promise<readonly (StoredObject | undefined)[]> {
    const held = this.#clusters.get(cluster)?.held;
    return keys.map((key) => held?.find(key));
  }

  async digest(cluster: string): Promise<SnapshotDigest | undefined> {
    return this.#clusters.get(cluster)?.held?.digest();
  }

  async clusters(): Promise<readonly string[]> {
    return this.#held()
      .map(({ cluster }) => cluster)
      .sort();
  }

  async remove(cluster: string): Promise<boolean> {
    const removed = this.#clusters.get(cluster)?.remove() ?? false;
    if (!removed) return false;
    this.#replication.wake();
    this.#feed.publish({ type: 'removed', cluster, origin: 'here' });
    return true;
  }

  broadcast(topic: string, body: string | undefined): void {
    this.#replication.broadcast(topic, body);
  }

  peerAnnouncements(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    return this.#replication.words.others;
  }

  watch(signal: AbortSignal, origin?: ChangeOrigin): AsyncIterable<SnapshotChange> {
    return this.#feed.watch(signal, origin);
  }

  stats(): StoreStats {
    const weights = this.#held().map(({ weight }) => weight);
    const { connected, since, corruptions } = this.#replication;
    return {
      clusters: weights.length,
      objects: weights.reduce((sum, { objects }) => sum + objects, 0),
      bytes: weights.reduce((sum, { bytes }) => sum + bytes, 0),
      watchers: this.#feed.stats(),
      replication: {
        connected,
        sinceMs: this.#now() - since,
        waiting: this.#clusters.all().reduce((sum, { waiting }) => sum + waiting, 0),
        corruptions,
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#feed.end();
    await this.#replication[Symbol.asyncDispose]();
  }

  #held(): NonNullable<ReturnType<SharedClusters['ensure']>['held']>[] {
    return this.#clusters.all().flatMap(({ held }) => held ?? []);
  }
}
