/**
 * Ingests changes that other replicas write to the store: costs grow with the changes, and each object is read once in
 * its latest state.
 */
import { entryId, kindId, type ObjectKey, type SnapshotChange, type SnapshotStore } from '@meshrelay/store';
import type { Logger } from '@meshrelay/telemetry';
import type { Fleet } from './fleet.ts';

export interface StoreFollowerOptions {
  readonly fleet: Pick<Fleet, 'compare' | 'onPeer' | 'leaveOut' | 'progress'>;
  readonly store: SnapshotStore;
  /** Whether a cluster's inputs count: it is registered, or the registrations are not known yet. */
  readonly counts: (cluster: string) => boolean;
  /** Another replica changed a cluster whose inputs do not count here; they were not ingested. */
  readonly onIgnored: (cluster: string) => void;
  /** Whether a cluster's agent is connected here: then this replica has the newest state. */
  readonly isHere: (cluster: string) => boolean;
  /** Other replicas changed their announcements on these topics; undefined: on any. */
  readonly onAnnounced?: (topics: readonly string[] | undefined) => void;
  /** The first change of a cluster that was unknown here. */
  readonly onNew: (cluster: string) => void;
  /**
   * Another replica has deleted a cluster, and so does this one now. An agent that is connected here must send its
   * state again.
   */
  readonly onDeletedOnPeer: (cluster: string) => void;
  readonly logger: Logger;
}

type Reported = Exclude<SnapshotChange, { type: 'lost' | 'announced' }>;

/** Pending changes of one cluster. */
interface Waiting {
  /** The last change; the present state of objects is read from the store. */
  last: Reported;
  readonly keys: Map<string, ObjectKey>;
  /** Whether it was removed, even if only before the last change. */
  readonly removed: boolean;
  /** Whether every deletion was observed. */
  readonly observed: boolean;
}

export class StoreFollower implements AsyncDisposable {
  readonly #options: StoreFollowerOptions;
  readonly #stop = new AbortController();
  readonly #waiting = new Map<string, Waiting>();
  readonly #following: Promise<void>;
  #taking = 0;

  constructor(options: StoreFollowerOptions) {
    this.#options = options;
    this.#following = this.#follow(options.store.watch(this.#stop.signal, 'elsewhere'));
  }

  /** Clusters with changes that are pending or being ingested. */
  get depth(): number {
    return this.#waiting.size + this.#taking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  async #follow(changes: AsyncIterable<SnapshotChange>): Promise<void> {
    for await (const change of changes) {
      if (change.type === 'lost') await this.#compareAll();
      else if (change.type === 'announced') this.#options.onAnnounced?.(change.topics);
      else this.#note(change);
    }
  }

  /** Changes that arrive while earlier ones wait are merged with them. */
  #note(change: Reported): void {
    const { cluster } = change;
    const known = this.#waiting.get(cluster);
    // A removal discards changes before it.
    const keys = change.type === 'removed' || known?.last.type === 'removed' ? new Map() : (known?.keys ?? new Map());
    if (change.type === 'written')
      for (const key of [...change.upserts, ...change.deletes]) keys.set(`${kindId(key)}/${entryId(key)}`, key);
    const unseen = change.type === 'written' && change.deletes.length > 0 && !change.observed;
    const removed = change.type === 'removed' || known?.removed === true;
    this.#waiting.set(cluster, { last: change, keys, removed, observed: known?.observed !== false && !unseen });
    if (known === undefined) void this.#take(cluster);
  }

  async #take(cluster: string): Promise<void> {
    const { fleet, counts, onIgnored, onNew, onDeletedOnPeer, logger } = this.#options;
    this.#taking += 1;
    try {
      // One turn of the event loop batches simultaneous changes.
      await new Promise((resume) => setImmediate(resume));
      const waiting = this.#waiting.get(cluster);
      this.#waiting.delete(cluster);
      if (waiting === undefined) return;
      const { last, keys, removed, observed } = waiting;
      if (removed) {
        // Later changes belong to a new registration, whose versions may repeat earlier ones.
        onDeletedOnPeer(cluster);
        await fleet.leaveOut(cluster);
      }
      if (last.type === 'removed') return;
      if (!counts(cluster)) {
        onIgnored(cluster);
        return;
      }
      const isNew = !fleet.progress.has(cluster);
      const { version, complete, compared } = last;
      await (isNew
        ? fleet.compare(cluster)
        : fleet.onPeer(cluster, { keys: [...keys.values()].map(plain), version, complete, compared, observed }));
      if (isNew) onNew(cluster);
    } catch (error) {
      logger.error('a change from another replica cannot be ingested', { cluster, error });
    } finally {
      this.#taking -= 1;
    }
  }

  async #compareAll(): Promise<void> {
    const { fleet, store, isHere, counts, onIgnored, onDeletedOnPeer, logger } = this.#options;
    this.#waiting.clear();
    this.#options.onAnnounced?.(undefined);
    logger.info('changes of other replicas were missed; the server compares everything');
    const stored = new Set(await store.clusters());
    for (const cluster of [...fleet.progress.keys()].filter((one) => !stored.has(one))) {
      onDeletedOnPeer(cluster);
      await fleet.leaveOut(cluster);
    }
    for (const cluster of stored) {
      if (isHere(cluster)) continue;
      if (counts(cluster)) await fleet.compare(cluster);
      else onIgnored(cluster);
    }
  }
}

function plain({ group, version, kind, namespace, name }: ObjectKey): ObjectKey {
  return { group, version, kind, namespace, name };
}
