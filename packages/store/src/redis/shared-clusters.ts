/** All clusters in this replica's memory, with the feed of changes by other replicas. */
import type { ChangeFeed } from '../change-feed.ts';
import { kindId, type SnapshotVersion } from '../snapshot.ts';
import { type Adopted, SharedCluster } from './shared-cluster.ts';
import type { StoredVersion } from './stored-version.ts';

export class SharedClusters {
  readonly #feed: ChangeFeed;
  readonly #clusters = new Map<string, SharedCluster>();

  constructor(feed: ChangeFeed) {
    this.#feed = feed;
  }

  /** Includes removed clusters. */
  get size(): number {
    return this.#clusters.size;
  }

  get(cluster: string): SharedCluster | undefined {
    return this.#clusters.get(cluster);
  }

  ensure(cluster: string): SharedCluster {
    const known = this.#clusters.get(cluster);
    if (known !== undefined) return known;
    const shared = new SharedCluster(cluster);
    this.#clusters.set(cluster, shared);
    return shared;
  }

  all(): readonly SharedCluster[] {
    return [...this.#clusters.values()];
  }

  /** Another replica removed the cluster. */
  takeUpRemoval(shared: SharedCluster, version: StoredVersion): void {
    const was = shared.held !== undefined;
    shared.adoptRemoval(version);
    if (was) this.#feed.publish({ type: 'removed', cluster: shared.cluster, origin: 'elsewhere' });
  }

  /**
   * Another replica wrote a newer state of a cluster.
   * @param observed whether every deletion was observed
   */
  ingest(shared: SharedCluster, version: StoredVersion, sent: Adopted, observed: boolean): void {
    const { kinds } = sent;
    const steps = shared.adopt(version, sent);
    const { held, cluster } = shared;
    if (held === undefined) return;
    const { complete, compared } = held;
    const at: SnapshotVersion = held.version;
    const changed = steps.filter(({ upserts, deletes }) => upserts.length + deletes.length > 0);
    for (const { kind, upserts, deletes } of changed) {
      const synced = held.kinds.get(kindId(kind))?.synced === true;
      this.#feed.publish({
        type: 'written',
        cluster,
        version: at,
        kind,
        upserts,
        deletes,
        synced,
        complete,
        compared,
        observed,
        origin: 'elsewhere',
      });
    }
    if (changed.length > 0) return;
    const announced = kinds.filter((one) => one.announced).map(({ kind }) => kind);
    this.#feed.publish({
      type: 'opened',
      cluster,
      version: at,
      kinds: announced,
      complete,
      compared,
      origin: 'elsewhere',
    });
  }
}
