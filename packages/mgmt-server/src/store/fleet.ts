/** The fleet: the graph, the snapshots it is fed from, and how far each cluster's inputs have come. */
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
  refusedObjectAction,
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
import { KeyedQueue } from './keyed-queue.ts';

export interface FleetOptions {
  readonly plugins: readonly LoadedPlugin[];
  /** The management namespace. */
  readonly namespace: string;
  readonly store: SnapshotStore;
  readonly logger: Logger;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Told how many objects of agents were refused. */
  readonly onRefused?: (count: number) => void;
}

/** What is known of how far a cluster's inputs have come. */
export interface ClusterProgress {
  readonly version: InputVersion;
  /** Whether every kind its agent tells of is known in full. */
  readonly complete: boolean;
  /**
   * What outputs may claim to stand for: while we find out with its agent what differs, kinds that are the same are told of before those that are not,
   * and so the version runs ahead of what is known. Undefined before anything was known for certain.
   */
  readonly compared: InputVersion | undefined;
}

/** Called after each commit with what changed and why, and where a cluster's progress moved, with nothing changed. */
export type FleetListener = (changes: ChangeSet, cause: InputCause) => void;

/** A log line names this many refused objects; the agent's log has them all. */
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
          // The commit is done and true; whoever wrote it must not hear that it failed.
          logger.error('what follows from a commit failed', { error });
        }
      }
    });
  }

  get fleetState(): FleetState {
    return this.controlPlane.fleetState;
  }

  /** What the management cluster is to show of the fleet: computed first, where nobody has asked yet. */
  shown(): Promise<PublishedFleet> {
    this.#shown ??= this.#loop.apart((yieldOptions) => this.controlPlane.shown.activateYielding(yieldOptions));
    return this.#shown;
  }

  /** Writes waiting for their commit. */
  get depth(): number {
    return this.#loop.depth;
  }

  /** Aborted, with why, once the graph takes no more writes: only a new process makes it anew. */
  get broken(): AbortSignal {
    return this.#loop.broken;
  }

  /** Writes from which nothing follows yet that others see. */
  get unfinished(): number {
    return this.#loop.unfinished;
  }

  /** How far each cluster that was ever heard of has come. Never ahead of what the graph shows. */
  get progress(): ReadonlyMap<string, ClusterProgress> {
    return this.#progress;
  }

  /** Clusters whose agents connected and are still finding out with us what differs. */
  get comparing(): ReadonlySet<string> {
    return this.#comparing;
  }

  /** Whether something is known of clusters that are not registered: from the store, or of one whose registration has just ended. */
  get hasStrangers(): boolean {
    for (const cluster of this.#progress.keys()) if (!this.isRegistered(cluster)) return true;
    return false;
  }

  /** True for a cluster that is registered. */
  isRegistered(cluster: string): boolean {
    return this.fleetState.clusters.has(key(cluster));
  }

  /** What is known of a cluster, by hashes: what its agent need not send again. Kept up by the one push stream there is. */
  contentIndex(cluster: string): ContentIndex {
    const known = this.#contentIndex.get(cluster);
    if (known !== undefined) return known;
    const contentIndex = new ContentIndex();
    this.#contentIndex.set(cluster, contentIndex);
    return contentIndex;
  }

  /** Objects of a cluster that are not known as they are: refused, or too large to get here. */
  quarantine(cluster: string): Quarantine {
    const known = this.#quarantines.get(cluster);
    if (known !== undefined) return known;
    const quarantine = new Quarantine();
    this.#quarantines.set(cluster, quarantine);
    return quarantine;
  }

  /** @returns what ends it */
  listen(listener: FleetListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes the world. Resolves once everything that follows is up to date; `published` is called just before anybody is told. */
  write(
    write: (transaction: Transaction, fleetState: FleetState) => void,
    published?: () => void,
    cause: InputCause = EDIT,
  ): Promise<ChangeSet> {
    return this.#loop.write({ into: (transaction) => write(transaction, this.fleetState), published, cause });
  }

  /** Takes up what the store kept from before this process, so that a restart with a store loses nothing. */
  async restore(): Promise<void> {
    for (const cluster of await this.#options.store.clusters()) await this.compare(cluster);
  }

  /** Takes up all that the store knows of a cluster, by comparing it with what was taken up before. */
  compare(cluster: string): Promise<void> {
    return this.#keyedQueue.take(cluster, async () => {
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
      // The cluster may have been registered anew: then its versions began anew, too.
      this.#progress.delete(cluster);
      await this.#ingestFromPeer(cluster, { pendingUpdates, gone, version, complete, compared, observed: false });
    });
  }

  /** Takes up what another replica told of some objects of a cluster; what the store knows of them by now is what counts. */
  onPeer(cluster: string, { keys, ...reported }: PeerAnnouncement): Promise<void> {
    return this.#keyedQueue.take(cluster, async () => {
      const found = await this.#options.store.lookUp(cluster, keys);
      const pendingUpdates = found.flatMap((one) => one ?? []);
      const gone = keys.filter((_, at) => found[at] === undefined);
      await this.#ingestFromPeer(cluster, { pendingUpdates, gone, ...reported });
    });
  }

  /** Takes all that is known of a cluster out of the graph. What the store has of it stays there. */
  leaveOut(cluster: string): Promise<void> {
    return this.#keyedQueue.take(cluster, () => this.#forget(cluster));
  }

  /**
   * A term of a cluster's agent begins, or goes on, with these kinds.
   * @param resumed what is known of the cluster is what the agent has, so that nothing is compared
   * @throws RelayError RELAY_E_OLD_TERM when a newer term has begun
   */
  open(cluster: string, term: number, kinds: readonly InputBatch['kind'][], resumed = false): Promise<void> {
    return this.#keyedQueue.take(cluster, async () => {
      const { store } = this.#options;
      refuseOverlooked(cluster, await store.open({ cluster, term, kinds, resumed }));
      if (resumed) this.#comparing.delete(cluster);
      else this.#comparing.add(cluster);
      const digest = await store.digest(cluster);
      // A term that names more kinds is known in full only when these are, too.
      if (digest === undefined || !this.#progress.has(cluster)) return;
      await this.write(
        () => undefined,
        () => this.#advance(cluster, { ...digest, complete: digest.complete && !this.quarantine(cluster).lacksAny }),
      );
    });
  }

  /**
   * Takes a batch of an agent: into the store, then into the graph. Gives what was refused; the rest is in.
   * @throws RelayError when a newer term has begun, or the cluster was deregistered meanwhile
   */
  accept(batch: InputBatch): Promise<readonly ObjectRejection[]> {
    return this.#keyedQueue.take(batch.cluster, async () => {
      const { store } = this.#options;
      const { cluster, term, seq, kind, deletes, synced, followed, inStep } = batch;
      const decoded = batch.upserts.map((envelope) => ({ envelope, ...decodeEnvelope(cluster, envelope) }));
      const upserts = decoded.flatMap(({ envelope, rejection }) => (rejection === undefined ? envelope : []));
      const observed = followed === true;
      const comparing = !inStep && (!followed || this.#comparing.has(cluster));
      const step = { cluster, term, seq, kind, upserts, deletes, synced, observed, inStep: !comparing };
      refuseOverlooked(cluster, await store.write(step));
      const digest = await store.digest(cluster);
      // A kind stays known to the store while one more object comes up that does not get here.
      const complete = digest?.complete === true && !this.quarantine(cluster).lacksAny;
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
        // What replaces something comes before that goes, so that nothing is without either for a moment.
        const taken = decoded.length > 0 ? this.write(takeAll) : undefined;
        await Promise.all([taken, this.write(deleteAll, published, OBSERVED)]);
      }
      const rejections = decoded.flatMap(({ rejection }) => rejection ?? []);
      this.refused(cluster, rejections);
      return rejections;
    });
  }

  /** Objects of an agent that were not taken; what was known of them before stays. */
  refused(cluster: string, rejections: readonly ObjectRejection[]): void {
    if (rejections.length === 0) return;
    const { logger, onRefused } = this.#options;
    onRefused?.(rejections.length);
    const first = rejections.slice(0, NAMED_REJECTIONS).map(({ key: { kind, namespace, name }, code, reason }) => {
      const next = refusedObjectAction(code);
      return { kind, namespace, name, code, reason, next };
    });
    logger.warn('input objects refused', { cluster, count: rejections.length, first });
  }

  /**
   * Forgets a cluster whose registration ended. Its streams must have been closed.
   * @param cause why it counts as ended
   */
  forget(cluster: string, cause: InputCause = EDIT): Promise<void> {
    return this.#keyedQueue.take(cluster, async () => {
      await this.#options.store.remove(cluster);
      await this.#forget(cluster, cause);
    });
  }

  /** To be called when a commit is published. */
  #advance(cluster: string, { version, complete, compared }: ClusterProgress): void {
    this.#progress.set(cluster, { version, complete, compared });
  }

  async #forget(cluster: string, cause: InputCause = EDIT): Promise<void> {
    // Were these kept, an agent registered anew would be told that nothing need be sent.
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
    // What an agent that was connected here could not tell, it has told of since.
    this.#quarantines.delete(cluster);
    const decoded = pendingUpdates.map((one) => decodeEnvelope(cluster, one));
    const published = (): void => {
      // If it is being compared, then where its agent is: what of it may be claimed is said with it.
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
    // What replaces something comes before that goes, so that nothing is without either for a moment.
    const taken = decoded.length > 0 ? this.write(takeAll) : undefined;
    await Promise.all([taken, this.write(deleteAll, published, observed ? OBSERVED : EDIT)]);
  }
}

/** What of a cluster's objects another replica has told. */
export interface PeerAnnouncement extends ClusterProgress {
  readonly keys: readonly ObjectKey[];
  /** Whether each of the deletions was seen to happen. */
  readonly observed: boolean;
}

interface OnPeer extends ClusterProgress {
  readonly pendingUpdates: readonly StoredObject[];
  readonly gone: readonly ObjectKey[];
  /** Whether each of the deletions was seen to happen. */
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
      'RELAY_E_OLD_TERM',
      `inputs of cluster ${cluster} came after newer ones (term ${known?.term ?? 0}, number ${known?.seq ?? 0}); connect again`,
    );
  throw new RelayError('RELAY_E_UNAVAILABLE', `inputs of cluster ${cluster} are not taken (${reason}); connect again`);
}
