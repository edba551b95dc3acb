/** The snapshot store of a single server replica: everything is in memory, and lost when the process ends. */
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
import { HeldCluster } from './held-cluster.ts';

/** Bodies are stored by reference: pass bytes that no longer change. */
export class MemoryStore implements SnapshotStore {
  readonly #clusters = new Map<string, HeldCluster>();
  readonly #feed = new ChangeFeed();

  async open(opening: TermOpening): Promise<WriteResult> {
    const held =
      this.#clusters.get(opening.cluster) ?? new HeldCluster(opening.cluster, { term: opening.term, seq: 0 });
    const refused = held.open(opening);
    if (refused !== undefined) return refused;
    this.#clusters.set(opening.cluster, held);
    const { version, complete, compared } = held;
    const { cluster, kinds } = opening;
    this.#feed.publish({ type: 'opened', cluster, version, kinds, complete, compared, origin: 'here' });
    return { accepted: true, version };
  }

  async write(delta: SnapshotDelta): Promise<WriteResult> {
    const held = this.#clusters.get(delta.cluster);
    if (held === undefined) return { accepted: false, reason: 'not-opened', known: undefined };
    const step = held.write(delta);
    if ('accepted' in step) return step;
    const { version, complete, compared } = held;
    const { cluster, kind, observed = false } = delta;
    const stands = { complete, compared, observed };
    this.#feed.publish({ type: 'written', cluster, version, kind, ...step, ...stands, origin: 'here' });
    return { accepted: true, version };
  }

  async read(cluster: string): Promise<Snapshot | undefined> {
    return this.#clusters.get(cluster)?.snapshot();
  }

  async lookUp(cluster: string, keys: readonly ObjectKey[]): Promise<readonly (StoredObject | undefined)[]> {
    const held = this.#clusters.get(cluster);
    return keys.map((key) => held?.find(key));
  }

  async digest(cluster: string): Promise<SnapshotDigest | undefined> {
    return this.#clusters.get(cluster)?.digest();
  }

  async clusters(): Promise<readonly string[]> {
    return [...this.#clusters.keys()].sort();
  }

  async remove(cluster: string): Promise<boolean> {
    const known = this.#clusters.delete(cluster);
    if (known) this.#feed.publish({ type: 'removed', cluster, origin: 'here' });
    return known;
  }

  /** No other replica exists. */
  broadcast(): void {}

  peerAnnouncements(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    return new Map();
  }

  watch(signal: AbortSignal, origin?: ChangeOrigin): AsyncIterable<SnapshotChange> {
    return this.#feed.watch(signal, origin);
  }

  stats(): StoreStats {
    const weights = [...this.#clusters.values()].map(({ weight }) => weight);
    return {
      clusters: weights.length,
      objects: weights.reduce((sum, { objects }) => sum + objects, 0),
      bytes: weights.reduce((sum, { bytes }) => sum + bytes, 0),
      watchers: this.#feed.stats(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#feed.end();
  }
}
