/** The contract of snapshot stores. `test/contract.ts` holds what every implementation must do. */
import type {
  ObjectKey,
  ObjectKind,
  Snapshot,
  SnapshotDelta,
  SnapshotDigest,
  SnapshotVersion,
  StoredObject,
} from './snapshot.ts';

/** An agent's term begins: these are the kinds it will tell of. */
export interface TermOpening {
  readonly cluster: string;
  readonly term: number;
  readonly kinds: readonly ObjectKind[];
  /** Whether what is known of the cluster is what the agent has, so that nothing is compared; false when omitted. */
  readonly resumed?: boolean;
}

/**
 * What came of a write.
 * - `older`: the store knows this version or a newer one; the writer was overtaken.
 * - `not-opened`: this term was not opened.
 * - `unannounced-kind`: the opening did not name this kind.
 */
export type WriteResult =
  | { readonly accepted: true; readonly version: SnapshotVersion }
  | {
      readonly accepted: false;
      readonly reason: 'older' | 'not-opened' | 'unannounced-kind';
      /** What the store knows; undefined for a cluster it knows nothing of. */
      readonly known: SnapshotVersion | undefined;
    };

/** Where a change was made: `elsewhere` is another replica of the server, by the store that they share. */
export type ChangeOrigin = 'here' | 'elsewhere';

/**
 * One change, in the order in which the store took it.
 * - `opened`: a term began or went on; kinds it does not name are no longer kept up, nor known in full.
 * - `written`: a step was taken. Only objects that really changed are listed, so there may be none.
 * - `said`: another replica says something else on these topics, or it came, or is gone: what counts is `heard`.
 * - `removed`: the cluster is no longer known at all.
 * - `lost`: the watcher was too slow and missed changes; compare digests and read what differs.
 */
export type SnapshotChange =
  | {
      readonly type: 'opened';
      readonly cluster: string;
      readonly version: SnapshotVersion;
      readonly kinds: readonly ObjectKind[];
      readonly complete: boolean;
      /** As in a snapshot: of which version all that is known is. */
      readonly compared: SnapshotVersion | undefined;
      readonly origin: ChangeOrigin;
    }
  | {
      readonly type: 'written';
      readonly cluster: string;
      readonly version: SnapshotVersion;
      readonly kind: ObjectKind;
      readonly upserts: readonly StoredObject[];
      readonly deletes: readonly ObjectKey[];
      /** Whether the kind, and whether the whole snapshot, is known in full after this. */
      readonly synced: boolean;
      readonly complete: boolean;
      /** As in a snapshot: of which version all that is known is. */
      readonly compared: SnapshotVersion | undefined;
      /** Whether each of the deletions was seen to happen. */
      readonly observed: boolean;
      readonly origin: ChangeOrigin;
    }
  | {
      readonly type: 'said';
      readonly replica: string;
      readonly topics: readonly string[];
      readonly origin: ChangeOrigin;
    }
  | { readonly type: 'removed'; readonly cluster: string; readonly origin: ChangeOrigin }
  | { readonly type: 'lost' };

/** What a store holds and how its watchers keep up. */
export interface StoreStats {
  readonly clusters: number;
  readonly objects: number;
  /** Bytes of the objects' bodies. */
  readonly bytes: number;
  readonly watchers: readonly WatcherStats[];
  /** How it stands with what the replicas share; undefined for a store that shares nothing. */
  readonly replication?: ReplicationStats;
}

/** How it stands with what the replicas share. */
export interface ReplicationStats {
  /** Whether the shared store does what it is asked to. While it does not, what is known of clusters connected elsewhere does not move. */
  readonly connected: boolean;
  /** Milliseconds since that began to be so. */
  readonly sinceMs: number;
  /** Keys that wait to be written. */
  readonly waiting: number;
  /** Values found damaged so far; each counts as unknown. */
  readonly corruptions: number;
}

/** How one watcher keeps up. */
export interface WatcherStats {
  /** Changes waiting. */
  readonly depth: number;
  /** Changes dropped so far, each batch of them told as one `lost`. */
  readonly dropped: number;
}

/** Keeps the snapshot of each cluster. What it does not know it does not make up: absence of a value is never an empty value. */
export interface SnapshotStore extends AsyncDisposable {
  /** Begins or goes on with a term. What is known stays known, and a kind known in full stays so while it is named; an older term is refused. */
  open(opening: TermOpening): Promise<WriteResult>;
  /** Takes one step, wholly or not at all. Steps of a cluster must be newer than every one before. */
  write(delta: SnapshotDelta): Promise<WriteResult>;
  /** All that is known of a cluster, or undefined when nothing is: never an empty snapshot in its place. */
  read(cluster: string): Promise<Snapshot | undefined>;
  /** Some objects of one cluster as they are known now, in the order asked for; undefined where one is not known. */
  lookUp(cluster: string, keys: readonly ObjectKey[]): Promise<readonly (StoredObject | undefined)[]>;
  /** As `read`, without the objects. */
  digest(cluster: string): Promise<SnapshotDigest | undefined>;
  /** Names of the clusters of which something is known, sorted. */
  clusters(): Promise<readonly string[]>;
  /** Forgets a cluster whose registration ended. @returns whether it was known */
  remove(cluster: string): Promise<boolean>;
  /** Tells the other replicas something on a topic, in place of what was told before; undefined takes it back. It is forgotten with this process. */
  broadcast(topic: string, body: string | undefined): void;
  /** What the other replicas that live say, by replica and topic. */
  peerAnnouncements(): ReadonlyMap<string, ReadonlyMap<string, string>>;
  /**
   * Changes from this call on, until `signal` aborts or the store is disposed of. A watcher that lags is told `lost`.
   * @param origin only those that were made there
   */
  watch(signal: AbortSignal, origin?: ChangeOrigin): AsyncIterable<SnapshotChange>;
  /** For metrics. */
  stats(): StoreStats;
}
