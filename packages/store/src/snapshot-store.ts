/** The contract of snapshot stores. `test/contract.ts` tests it for every implementation. */
import type {
  ObjectKey,
  ObjectKind,
  Snapshot,
  SnapshotDelta,
  SnapshotDigest,
  SnapshotVersion,
  StoredObject,
} from './snapshot.ts';

/** An agent's term begins, with the kinds that the agent will send. */
export interface TermOpening {
  readonly cluster: string;
  readonly term: number;
  readonly kinds: readonly ObjectKind[];
  /** Whether the known state of the cluster equals the agent's, so that no comparison is needed; false when omitted. */
  readonly resumed?: boolean;
}

/**
 * Result of a write.
 * - `older`: the store has this version or a newer one; the writer was overtaken.
 * - `not-opened`: this term was not opened.
 * - `unannounced-kind`: the opening did not name this kind.
 */
export type WriteResult =
  | { readonly accepted: true; readonly version: SnapshotVersion }
  | {
      readonly accepted: false;
      readonly reason: 'older' | 'not-opened' | 'unannounced-kind';
      /** The store's version; undefined for an unknown cluster. */
      readonly known: SnapshotVersion | undefined;
    };

/** Origin of a change: `elsewhere` is another replica of the server, through the shared store. */
export type ChangeOrigin = 'here' | 'elsewhere';

/**
 * One change, in the order in which the store accepted it.
 * - `opened`: a term began or continued; kinds that it does not name are no longer updated, nor synced.
 * - `written`: a step was accepted. Only objects that really changed are listed, so the list may be empty.
 * - `said`: another replica changed its announcements on these topics, or it started, or is gone. Read
 *   `peerAnnouncements`.
 * - `removed`: all data of the cluster was removed.
 * - `lost`: the watcher was too slow and missed changes; compare digests and read the differences.
 */
export type SnapshotChange =
  | {
      readonly type: 'opened';
      readonly cluster: string;
      readonly version: SnapshotVersion;
      readonly kinds: readonly ObjectKind[];
      readonly complete: boolean;
      /** As in a snapshot: the version that all data belongs to. */
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
      /** Whether the kind, and whether the whole snapshot, is synced after this. */
      readonly synced: boolean;
      readonly complete: boolean;
      /** As in a snapshot: the version that all data belongs to. */
      readonly compared: SnapshotVersion | undefined;
      /** Whether every deletion was observed. */
      readonly observed: boolean;
      readonly origin: ChangeOrigin;
    }
  | {
      readonly type: 'announced';
      readonly replica: string;
      readonly topics: readonly string[];
      readonly origin: ChangeOrigin;
    }
  | { readonly type: 'removed'; readonly cluster: string; readonly origin: ChangeOrigin }
  | { readonly type: 'lost' };

/** Size of a store, and progress of its watchers. */
export interface StoreStats {
  readonly clusters: number;
  readonly objects: number;
  /** Total bytes of the objects' bodies. */
  readonly bytes: number;
  readonly watchers: readonly WatcherStats[];
  /** State of the replication; undefined for a store without one. */
  readonly replication?: ReplicationStats;
}

/** State of the replication between replicas. */
export interface ReplicationStats {
  /** Whether the shared store works. While it does not, data of clusters connected to other replicas is not updated. */
  readonly connected: boolean;
  /** Milliseconds since that state began. */
  readonly sinceMs: number;
  /** Number of keys to write. */
  readonly waiting: number;
  /** Number of corrupt values so far; each counts as unknown. */
  readonly corruptions: number;
}

/** Progress of one watcher. */
export interface WatcherStats {
  /** Queued changes. */
  readonly depth: number;
  /** Dropped changes so far; one `lost` reports each batch of them. */
  readonly dropped: number;
}

/** Stores the snapshot of each cluster. It never invents data: an unknown value is not an empty value. */
export interface SnapshotStore extends AsyncDisposable {
  /**
   * Begins or continues a term. Data stays, and a synced kind stays synced while it is named; an older term is
   * rejected.
   */
  open(opening: TermOpening): Promise<WriteResult>;
  /** Applies one step, completely or not at all. Steps of a cluster must be newer than all earlier ones. */
  write(delta: SnapshotDelta): Promise<WriteResult>;
  /** All data of a cluster, or undefined without any: never an empty snapshot instead. */
  read(cluster: string): Promise<Snapshot | undefined>;
  /** Present state of some objects of one cluster, in the order of `keys`; undefined for an unknown one. */
  lookUp(cluster: string, keys: readonly ObjectKey[]): Promise<readonly (StoredObject | undefined)[]>;
  /** Like `read`, without the objects. */
  digest(cluster: string): Promise<SnapshotDigest | undefined>;
  /** Sorted names of the clusters with data. */
  clusters(): Promise<readonly string[]>;
  /** Removes a cluster whose registration ended. @returns whether it had data */
  remove(cluster: string): Promise<boolean>;
  /**
   * Announces something on a topic to the other replicas, replacing the earlier announcement; undefined withdraws it.
   * It ends with this process.
   */
  broadcast(topic: string, body: string | undefined): void;
  /** Announcements of the other live replicas, by replica and topic. */
  peerAnnouncements(): ReadonlyMap<string, ReadonlyMap<string, string>>;
  /**
   * Changes from this call on, until `signal` aborts or the store is disposed. A watcher that lags gets `lost`.
   * @param origin only changes of this origin
   */
  watch(signal: AbortSignal, origin?: ChangeOrigin): AsyncIterable<SnapshotChange>;
  /** For metrics. */
  stats(): StoreStats;
}
