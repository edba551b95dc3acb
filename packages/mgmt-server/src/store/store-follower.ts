/** Takes up what other replicas tell through the store: bounded by what changed, the latest state of each object once. */
import { entryId, kindId, type ObjectKey, type SnapshotChange, type SnapshotStore } from '@meshrelay/store';
import type { Logger } from '@meshrelay/telemetry';
import type { Fleet } from './fleet.ts';

export interface StoreFollowerOptions {
  readonly fleet: Pick<Fleet, 'compare' | 'onPeer' | 'leaveOut' | 'progress'>;
  readonly store: SnapshotStore;
  /** Whether a cluster's inputs count: it is registered, or nobody knows yet which are. */
  readonly counts: (cluster: string) => boolean;
  /** Another replica has told of a cluster whose inputs do not count here; they were left alone. */
  readonly onLeftAlone: (cluster: string) => void;
  /** Whether a cluster's agent is connected here: then nobody else knows better. */
  readonly isHere: (cluster: string) => boolean;
  /** Other replicas say something else on these topics; undefined: on any. */
  readonly onAnnounced?: (topics: readonly string[] | undefined) => void;
  /** A cluster of which nothing was known here has been told of. */
  readonly onNew: (cluster: string) => void;
  /** Another replica has forgotten a cluster, and so does this one now. An agent that is connected here must not go on as if it had told all. */
  readonly onForgotten: (cluster: string) => void;
  readonly logger: Logger;
}

type Reported = Exclude<SnapshotChange, { type: 'lost' | 'said' }>;

/** What is to be taken up of one cluster. */
interface Waiting {
  /** The last change; what objects are now is the store's to say. */
  last: Reported;
  readonly keys: Map<string, ObjectKey>;
  /** Whether it was removed, if only before the last change. */
  readonly removed: boolean;
  /** Whether each of the deletions was seen to happen. */
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

  /** Clusters of which something is to be taken up, or is being. */
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
      else if (change.type === 'said') this.#options.onAnnounced?.(change.topics);
      else this.#note(change);
    }
  }

  /** Changes that come while the last ones wait for their turn join them. */
  #note(change: Reported): void {
    const { cluster } = change;
    const known = this.#waiting.get(cluster);
    // What was told before a removal is gone with it.
    const keys = change.type === 'removed' || known?.last.type === 'removed' ? new Map() : (known?.keys ?? new Map());
    if (change.type === 'written')
      for (const key of [...change.upserts, ...change.deletes]) keys.set(`${kindId(key)}/${entryId(key)}`, key);
    const unseen = change.type === 'written' && change.deletes.length > 0 && !change.observed;
    const removed = change.type === 'removed' || known?.removed === true;
    this.#waiting.set(cluster, { last: change, keys, removed, observed: known?.observed !== false && !unseen });
    if (known === undefined) void this.#take(cluster);
  }

  async #take(cluster: string): Promise<void> {
    const { fleet, counts, onLeftAlone, onNew, onForgotten, logger } = this.#options;
    this.#taking += 1;
    try {
      // One turn of the event loop gathers what came at once.
      await new Promise((resume) => setImmediate(resume));
      const waiting = this.#waiting.get(cluster);
      this.#waiting.delete(cluster);
      if (waiting === undefined) return;
      const { last, keys, removed, observed } = waiting;
      if (removed) {
        // What is told after it is of a new beginning, whose versions may be those there were before.
        onForgotten(cluster);
        await fleet.leaveOut(cluster);
      }
      if (last.type === 'removed') return;
      if (!counts(cluster)) {
        onLeftAlone(cluster);
        return;
      }
      const isNew = !fleet.progress.has(cluster);
      const { version, complete, compared } = last;
      await (isNew
        ? fleet.compare(cluster)
        : fleet.onPeer(cluster, { keys: [...keys.values()].map(plain), version, complete, compared, observed }));
      if (isNew) onNew(cluster);
    } catch (error) {
      logger.error('what another replica told cannot be taken up', { cluster, error });
    } finally {
      this.#taking -= 1;
    }
  }

  async #compareAll(): Promise<void> {
    const { fleet, store, isHere, counts, onLeftAlone, onForgotten, logger } = this.#options;
    this.#waiting.clear();
    this.#options.onAnnounced?.(undefined);
    logger.info('changes of other replicas were missed: everything is compared');
    const stored = new Set(await store.clusters());
    for (const cluster of [...fleet.progress.keys()].filter((one) => !stored.has(one))) {
      onForgotten(cluster);
      await fleet.leaveOut(cluster);
    }
    for (const cluster of stored) {
      if (isHere(cluster)) continue;
      if (counts(cluster)) await fleet.compare(cluster);
      else onLeftAlone(cluster);
    }
  }
}

function plain({ group, version, kind, namespace, name }: ObjectKey): ObjectKey {
  return { group, version, kind, namespace, name };
}
