/** The fleet: the graph, the snapshots that feed it, and the input progress of each cluster. */

import { KeyedQueue } from '@meshrelay/concurrency';
import { sha256 } from '@meshrelay/host/hash';
import { compressedPages } from '@meshrelay/host/pages';
import {
  type ChangeSet,
  type ControlPlane,
  createControlPlane,
  createGraph,
  deleteObject,
  type FleetState,
  key,
  type LoadedPlugin,
  type PublishedFleet,
  setObject,
  setUnreadable,
  type Transaction,
} from '@meshrelay/relay-core';
import {
  ContentIndex,
  entryOf,
  type InputBatch,
  type InputVersion,
  type ObjectRejection,
  Quarantine,
  RelayError,
  rejectedObjectAction,
} from '@meshrelay/relay-protocol';
import {
  compareVersions,
  entryId,
  kindId,
  type ObjectKey,
  type SnapshotStore,
  type StoredObject,
  type WriteResult,
} from '@meshrelay/store';
import type { Logger } from '@meshrelay/telemetry';
import { type DecodedEnvelope, decodeEnvelope } from '../input/decode-envelope.ts';
import { CommitLoop } from './commit-loop.ts';
import { forgetCluster } from './forget-cluster.ts';
import { EDIT, type InputCause, OBSERVED } from './input-cause.ts';

export interface FleetOptions {
  readonly plugins: readonly LoadedPlugin[];
  readonly namespace: string;
  readonly store: SnapshotStore;
  readonly logger: Logger;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Receives the number of rejected objects. */
  readonly onRefused?: (count: number) => void;
}

/** Progress of a cluster's inputs. */
export interface ClusterProgress {
  readonly version: InputVersion;
  /** Whether every kind that its agent sends is synced. */
  readonly complete: boolean;
  /**
   * The version that outputs may claim. While server and agent compare their state, unchanged kinds are reported before
   * changed ones, and so the version is ahead of the data. Undefined before the first completed comparison.
   */
  readonly compared: InputVersion | undefined;
}

/** Called after each commit with its changes and cause, and after progress of a cluster, without changes. */
export type FleetListener = (changes: ChangeSet, cause: InputCause) => void;

/** Maximum number of rejected objects that a log line names; the agent's log has them all. */
const NAMED_REJECTIONS = 5;

export class Fleet {
  readonly controlPlane: ControlPlane;
  readonly #options: FleetOptions;
  readonly #loop: CommitLoop;
  readonly #keyedQueue = new KeyedQueue();
  readonly #progress = new Map<string, ClusterProgress>();
  readonly #comparing = new Set<string>();
  readonly #contentIndex = new Map<string, ContentIndex>();
  readonly #quarantines = new Map<string, Quarantine>();
  readonly #listeners = new Set<FleetListener>();
  #shown: Promise<PublishedFleet> | undefined;

  constructor(options: FleetOptions) {
    const graph = createGraph();
    const { plugins, namespace, logger, now } = options;
    this.controlPlane = createControlPlane(graph, { plugins, hash: sha256, namespace, pages: compressedPages });
    this.#options = options;
    this.#loop = new CommitLoop(graph, now, (enough) => this.controlPlane.compact(enough));
    graph.subscribe((changes) => {
      for (const listener of this.#listeners) {
        try {
          listener(changes, this.#loop.cause);
        } catch (error) {
          // The commit is done: its writer must not get an error.
          logger.error('the work after a commit failed', { error });
        }
      }
    });
  }

  get fleetState(): FleetState {
    return this.controlPlane.fleetState;
  }

  /** The objects published to the management cluster; computed at first use. */
  shown(): Promise<PublishedFleet> {
    this.#shown ??= this.#loop.apart((yieldOptions) => this.controlPlane.shown.activateYielding(yieldOptions));
    return this.#shown;
  }

  /** Writes that wait for their commit. */
  get depth(): number {
    return this.#loop.depth;
  }

  /** Aborted, with the reason, once the graph accepts no more writes: only a restart of the process helps. */
  get broken(): AbortSignal {
    return this.#loop.broken;
  }

  /** Writes whose effects are not visible yet. */
  get unfinished(): number {
    return this.#loop.unfinished;
  }

  /** Input progress of each known cluster. Never ahead of the graph. */
  get progress(): ReadonlyMap<string, ClusterProgress> {
    return this.#progress;
  }

  /** Clusters whose agents connected and still compare their state with the server. */
  get comparing(): ReadonlySet<string> {
    return this.#comparing;
  }

  /**
   * Whether there is data of clusters that are not registered: from the store, or of one whose registration has just
   * ended.
   */
  get hasStrangers(): boolean {
    for (const cluster of this.#progress.keys()) if (!this.isRegistered(cluster)) return true;
    return false;
  }

  isRegistered(cluster: string): boolean {
    return this.fleetState.clusters.has(key(cluster));
  }

  /** Hashes of a cluster's known objects, which its agent need not send again. The single push stream maintains it. */
  contentIndex(cluster: string): ContentIndex {
    const known = this.#contentIndex.get(cluster);
    if (known !== undefined) return known;
    const contentIndex = new ContentIndex();
    this.#contentIndex.set(cluster, contentIndex);
    return contentIndex;
  }

  /** Objects of a cluster whose present state is unknown: rejected, or too large to transfer. */
  quarantine(cluster: string): Quarantine {
    const known = this.#quarantines.get(cluster);
    if (known !== undefined) return known;
    const quarantine = new Quarantine();
    this.#quarantines.set(cluster, quarantine);
    return quarantine;
  }

  /** @returns a function that unsubscribes */
  listen(listener: FleetListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Changes the fleet state. Resolves once everything derived from it is up to date; `published` is called just before
   * the listeners.
   */
  write(
    write: (transaction: Transaction, fleetState: FleetState) => void,
    published?: () => void,
    cause: InputCause = EDIT,
  ): Promise<ChangeSet> {
    return this.#loop.write({ into: (transaction) => write(transaction, this.fleetState), published, cause });
  }

  /** Ingests everything that the store has from before this process, so that a restart with a store loses nothing. */
  async restore(): Promise<void> {
    for (const cluster of await this.#options.store.clusters()) await this.compare(cluster);
  }

  /** Ingests everything that the store has of a cluster, by comparing it with the fleet state. */
  compare(cluster: string): Promise<void> {
    return this.#keyedQueue.run(cluster, async () => {
      const snapshot = await this.#options.store.read(cluster);
      if (snapshot === undefined) return this.#forget(cluster);
      const { version, complete, compared, kinds } = snapshot;
      const known = this.#progress.get(cluster);
      if (known !== undefined && isSame(known, snapshot)) return;
      const contentIndex = this.contentIndex(cluster);
      const pendingUpdates = kinds.flatMap(({ objects }) =>
        objects.filter((one) => contentIndex.get(kindId(one), entryId(one))?.hash !== one.hash),
      );
      const gone = kinds.flatMap(({ kind, objects, missing }) => {
        const there = new Set([...objects, ...missing].map(entryId));
        const held = [...contentIndex.entries(kindId(kind))].map(([id]) => ({ ...kind, ...entryOf(id) }));
        return held.filter((one) => !there.has(entryId(one)));
      });
      // It may have been registered again: then its versions restarted, too.
      this.#progress.delete(cluster);
      await this.#ingestFromPeer(cluster, { pendingUpdates, gone, version, complete, compared, observed: false });
    });
  }

  /** Ingests objects of a cluster that another replica announced, in their present state in the store. */
  onPeer(cluster: string, { keys, ...reported }: PeerAnnouncement): Promise<void> {
    return this.#keyedQueue.run(cluster, async () => {
      const found = await this.#options.store.lookUp(cluster, keys);
      const pendingUpdates = found.flatMap((one) => one ?? []);
      const gone = keys.filter((_, at) => found[at] === undefined);
      await this.#ingestFromPeer(cluster, { pendingUpdates, gone, ...reported });
    });
  }

  /** Removes a cluster's data from the graph. The store keeps its data. */
  leaveOut(cluster: string): Promise<void> {
    return this.#keyedQueue.run(cluster, () => this.#forget(cluster));
  }

  /**
   * A term of a cluster's agent begins, or continues, with these kinds.
   * @param resumed whether the known state of the cluster equals the agent's, so that no comparison is needed
   * @throws RelayError RELAY_E_FENCED when a newer term has begun
   */
  open(cluster: string, term: number, kinds: readonly InputBatch['kind'][], resumed = false): Promise<void> {
    return this.#keyedQueue.run(cluster, async () => {
      const { store } = this.#options;
      refuseOverlooked(cluster, await store.open({ cluster, term, kinds, resumed }));
      if (resumed) this.#comparing.delete(cluster);
      else this.#comparing.add(cluster);
      const digest = await store.digest(cluster);
      // A term that names more kinds is synced only when these are, too.
      if (digest === undefined || !this.#progress.has(cluster)) return;
      await this.write(
        () => undefined,
        () =>
          this.#advance(cluster, { ...digest, complete: digest.complete && !this.quarantine(cluster).isAnyMissing }),
      );
    });
  }

  /**
   * Ingests a batch of an agent: into the store, then into the graph. Returns the rejections; the rest is accepted.
   * @throws RelayError when a newer term has begun, or the cluster was deregistered meanwhile
   */
  accept(batch: InputBatch): Promise<readonly ObjectRejection[]> {
    return this.#keyedQueue.run(batch.cluster, async () => {
      const { store } = this.#options;
      const { cluster, term, seq, kind, deletes, synced, followed, inStep } = batch;
      const decoded = batch.upserts.map((envelope) => ({ envelope, ...decodeEnvelope(cluster, envelope) }));
      const upserts = decoded.flatMap(({ envelope, rejection }) => (rejection === undefined ? envelope : []));
      const observed = followed === true;
      const comparing = !inStep && (!followed || this.#comparing.has(cluster));
      const step = { cluster, term, seq, kind, upserts, deletes, synced, observed, inStep: !comparing };
      refuseOverlooked(cluster, await store.write(step));
      const digest = await store.digest(cluster);
      // The store considers a kind synced even if a further object cannot be transferred.
      const complete = digest?.complete === true && !this.quarantine(cluster).isAnyMissing;
      const takeAll = (transaction: Transaction, fleetState: FleetState): void => {
        for (const one of decoded) ingest(transaction, fleetState, cluster, one);
      };
      const deleteAll = (transaction: Transaction, fleetState: FleetState): void => {
        for (const name of deletes) deleteObject(transaction, fleetState, cluster, name);
      };
      const published = (): void => {
        if (comparing) this.#comparing.add(cluster);
        else this.#comparing.delete(cluster);
        this.#advance(cluster, { version: { term, seq }, complete, compared: digest?.compared });
      };
      if (!followed) {
        const both = (transaction: Transaction, fleetState: FleetState): void => {
          takeAll(transaction, fleetState);
          deleteAll(transaction, fleetState);
        };
        await this.write(both, published, { type: 'comparison', cluster });
      } else if (deletes.length === 0) {
        await this.write(takeAll, published);
      } else {
        // Replacements are written before removals, so that a replaced object is never missing in between.
        const taken = decoded.length > 0 ? this.write(takeAll) : undefined;
        await Promise.all([taken, this.write(deleteAll, published, OBSERVED)]);
      }
      const rejections = decoded.flatMap(({ rejection }) => rejection ?? []);
      this.refused(cluster, rejections);
      return rejections;
    });
  }

  /** Rejected objects of an agent; their earlier state stays. */
  refused(cluster: string, rejections: readonly ObjectRejection[]): void {
    if (rejections.length === 0) return;
    const { logger, onRefused } = this.#options;
    onRefused?.(rejections.length);
    const first = rejections.slice(0, NAMED_REJECTIONS).map(({ key: { kind, namespace, name }, code, reason }) => {
      const next = rejectedObjectAction(code);
      return { kind, namespace, name, code, reason, next };
    });
    logger.warn('input objects refused', { cluster, count: rejections.length, first });
  }

  /**
   * Deletes the data of a cluster whose registration ended. Its streams must be closed.
   * @param cause why it counts as ended
   */
  forget(cluster: string, cause: InputCause = EDIT): Promise<void> {
    return this.#keyedQueue.run(cluster, async () => {
      await this.#options.store.remove(cluster);
      await this.#forget(cluster, cause);
    });
  }

  /** Call when a commit is published. */
  #advance(cluster: string, { version, complete, compared }: ClusterProgress): void {
    this.#progress.set(cluster, { version, complete, compared });
  }

  async #forget(cluster: string, cause: InputCause = EDIT): Promise<void> {
    // Otherwise an agent that is registered again would learn that it need not send anything.
    this.#contentIndex.delete(cluster);
    this.#quarantines.delete(cluster);
    await this.write(
      (transaction, fleetState) => forgetCluster(transaction, fleetState, cluster),
      () => {
        this.#progress.delete(cluster);
        this.#comparing.delete(cluster);
      },
      cause,
    );
  }

  async #ingestFromPeer(cluster: string, { pendingUpdates, gone, observed, ...progress }: OnPeer): Promise<void> {
    const contentIndex = this.contentIndex(cluster);
    for (const one of pendingUpdates) contentIndex.set(one, { hash: one.hash, bytes: one.body.byteLength });
    for (const one of gone) contentIndex.delete(one);
    // Objects that an agent connected here could not send were sent to another replica since.
    this.#quarantines.delete(cluster);
    const decoded = pendingUpdates.map((one) => decodeEnvelope(cluster, one));
    const published = (): void => {
      // Only the replica with its agent compares, and it announces the version that all data belongs to.
      this.#comparing.delete(cluster);
      const known = this.#progress.get(cluster);
      if (known === undefined || compareVersions(progress.version, known.version) >= 0)
        this.#advance(cluster, progress);
    };
    const takeAll = (transaction: Transaction, fleetState: FleetState): void => {
      for (const one of decoded) ingest(transaction, fleetState, cluster, one);
    };
    const deleteAll = (transaction: Transaction, fleetState: FleetState): void => {
      for (const name of gone) deleteObject(transaction, fleetState, cluster, name);
    };
    if (gone.length === 0) {
      await this.write(takeAll, published);
      return;
    }
    // Replacements are written before removals, so that a replaced object is never missing in between.
    const taken = decoded.length > 0 ? this.write(takeAll) : undefined;
    await Promise.all([taken, this.write(deleteAll, published, observed ? OBSERVED : EDIT)]);
  }
}

/** Changes of a cluster's objects, announced by another replica. */
export interface PeerAnnouncement extends ClusterProgress {
  readonly keys: readonly ObjectKey[];
  /** Whether every deletion was observed. */
  readonly observed: boolean;
}

interface OnPeer extends ClusterProgress {
  readonly pendingUpdates: readonly StoredObject[];
  readonly gone: readonly ObjectKey[];
  /** Whether every deletion was observed. */
  readonly observed: boolean;
}

function isSame(a: ClusterProgress, b: ClusterProgress): boolean {
  const [one, other] = [a.compared, b.compared];
  const alike = one === undefined || other === undefined ? one === other : compareVersions(one, other) === 0;
  return alike && a.complete === b.complete && compareVersions(a.version, b.version) === 0;
}

function ingest(
  transaction: Transaction,
  fleetState: FleetState,
  cluster: string,
  { object, faults, unreadable }: DecodedEnvelope,
): void {
  if (object !== undefined) setObject(transaction, fleetState, cluster, object, faults);
  if (unreadable !== undefined) setUnreadable(transaction, fleetState, cluster, unreadable.raw, unreadable.problems);
}

function refuseOverlooked(cluster: string, result: WriteResult): void {
  if (result.accepted) return;
  const { reason, known } = result;
  if (reason === 'older')
    throw new RelayError(
      'RELAY_E_FENCED',
      `inputs of cluster ${cluster} came after newer ones (term ${known?.term ?? 0}, number ${known?.seq ?? 0}); connect again`,
    );
  throw new RelayError(
    'RELAY_E_UNAVAILABLE',
    `inputs of cluster ${cluster} are not accepted (${reason}); connect again`,
  );
}
