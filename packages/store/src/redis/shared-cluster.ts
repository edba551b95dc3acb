/** One cluster in this replica's memory, and its difference from Redis. */
import { type AdoptedKind, HeldCluster } from '../memory/held-cluster.ts';
import type { AppliedStep } from '../memory/held-kind.ts';
import {
  entryId,
  kindId,
  type ObjectKey,
  type ObjectKind,
  type SnapshotVersion,
  type StoredObject,
} from '../snapshot.ts';
import { bucketOf } from './bucket.ts';
import { KindIndex } from './kind-index.ts';
import { indexField, objectField } from './layout.ts';
import { compareStored, NEVER, type StoredVersion, versionText } from './stored-version.ts';
import type { Head, IndexEntries, KindHead, KindStep } from './values.ts';

/** Keys that differ from Redis, by kind, each with its hash in Redis; undefined if Redis lacks it. */
type Differing = Map<string, Map<string, string | undefined>>;

/** The known state of the cluster in Redis. */
interface Base {
  readonly version: StoredVersion;
  /** Number of fields of its contents; undefined if the index that names them is corrupt. */
  readonly fields: number | undefined;
}

/** Everything that a write needs, captured at one moment: later changes belong to the next write. */
export interface Capture {
  readonly version: StoredVersion;
  /** The state that it changes; undefined for a whole state. */
  readonly base: Base | undefined;
  /** Number of fields of the contents after the write. */
  readonly fields: number;
  readonly head: Head;
  readonly buckets: ReadonlyArray<{ readonly field: string; readonly entries: IndexEntries }>;
  readonly objects: ReadonlyArray<{ readonly field: string; readonly object: StoredObject }>;
  /** Fields that no index names any more. */
  readonly deletes: readonly string[];
  /** Changes for followers; empty for a whole state. */
  readonly steps: readonly KindStep[];
  /** Whether every deletion since the base was observed. */
  readonly observed: boolean;
}

/** State of a cluster from another replica. */
export interface Adopted {
  readonly kinds: readonly AdoptedKind[];
  readonly compared: SnapshotVersion | undefined;
  /** Number of fields of the contents in Redis; undefined if unknown. */
  readonly fields: number | undefined;
}

export class SharedCluster {
  readonly cluster: string;
  /** Undefined if nothing is known of it. */
  held: HeldCluster | undefined;
  /** Whether its agent is, or was last, connected to this replica: then this replica has the newest state. */
  mine = false;
  /**
   * When this replica writes the whole state although its agent is connected to another replica, or to none; undefined
   * for never.
   */
  takeoverAt: number | undefined;
  /** Last known version in Redis, as text; '' for none. A write expects it. */
  there = '';
  /** Whether some of it could not be read from Redis. */
  corrupt = false;
  #life = 0;
  #removed = false;
  #base: Base | undefined;
  readonly #index = new Map<string, KindIndex>();
  #differing: Differing = new Map();
  #inFlight: Differing | undefined;
  /** Counts local changes, so that a concurrent read of Redis can detect that its result is outdated. */
  #changes = 0;
  /** Whether every deletion since the last capture was observed, and those of the capture in progress. */
  #observed = true;
  #observedInFlight = true;

  constructor(cluster: string) {
    this.cluster = cluster;
  }

  get version(): StoredVersion {
    if (this.held === undefined) return { ...NEVER, life: this.#removed ? this.#life : 0 };
    return { life: this.#life, ...this.held.version };
  }

  get removed(): boolean {
    return this.#removed;
  }

  /** Whether anything is known, even if only its removal. */
  get known(): boolean {
    return this.held !== undefined || this.#removed;
  }

  /** Whether its data is as complete as its agent sent it: only such a state may replace the one in Redis. */
  get sound(): boolean {
    return this.known && !this.corrupt;
  }

  get changes(): number {
    return this.#changes;
  }

  get base(): Base | undefined {
    return this.#base;
  }

  /** Whether Redis is known to have another state. */
  get isBehind(): boolean {
    if (!this.known) return false;
    return (
      this.#base === undefined || compareStored(this.#base.version, this.version) !== 0 || this.#differing.size > 0
    );
  }

  /** Whether a write is in progress. */
  get isWriting(): boolean {
    return this.#inFlight !== undefined;
  }

  /** Number of keys to write. */
  get waiting(): number {
    if (this.known && this.#base === undefined) return this.#fields();
    return [...this.#differing.values()].reduce((sum, keys) => sum + keys.size, 0);
  }

  /** The agent's term begins here; after a removal that starts a new life. */
  begin(term: number): HeldCluster {
    this.mine = true;
    this.takeoverAt = undefined;
    // The agent will send unreadable objects again, and they are rewritten.
    if (this.corrupt) this.forgetBase();
    this.corrupt = false;
    if (this.held !== undefined) return this.held;
    if (this.#removed) this.#life += 1;
    this.#removed = false;
    this.held = new HeldCluster(this.cluster, { term, seq: 0 });
    return this.held;
  }

  /** Records the changes of a step, and whether its deletions were observed. */
  changed(kind: ObjectKind, { upserts, deletes }: AppliedStep, observed: boolean): void {
    this.#changes += 1;
    if (deletes.length > 0 && !observed) this.#observed = false;
    const id = kindId(kind);
    for (const object of upserts) this.#differ(id, entryId(object), object.hash);
    for (const key of deletes) this.#differ(id, entryId(key), undefined);
  }

  /** Records a change of flags or of the version. */
  touched(): void {
    this.#changes += 1;
  }

  /** Removes all its data. @returns whether there was any */
  remove(): boolean {
    const was = this.held !== undefined;
    if (!was) return false;
    this.#life += 1;
    this.#end();
    return true;
  }

  /** Another replica removed it. */
  adoptRemoval(version: StoredVersion): void {
    this.#life = version.life;
    this.#end();
    this.confirm(version, 0);
  }

  /**
   * Applies a newer state from another replica.
   * @returns the real changes, by kind
   */
  adopt(version: StoredVersion, { kinds, compared, fields }: Adopted): ReturnType<HeldCluster['adopt']> {
    this.mine = false;
    this.#removed = false;
    this.#life = version.life;
    this.held ??= new HeldCluster(this.cluster, version);
    const steps = this.held.adopt({ term: version.term, seq: version.seq }, compared, kinds);
    for (const { kind, upserts, deletes } of steps) this.changed(kind, { upserts, deletes }, false);
    this.#changes += 1;
    this.confirm(version, fields);
    return steps;
  }

  /** Redis has another or an unknown state: the next write is a whole one. */
  forgetBase(): void {
    this.#base = undefined;
    this.#differing = new Map();
  }

  /** Redis is confirmed to have the local state. */
  confirm(version: StoredVersion, fields: number | undefined = this.#fields()): void {
    this.takeoverAt = undefined;
    this.#base = { version, fields };
    this.#differing = new Map();
    this.#observed = true;
    this.there = versionText(version);
  }

  /** The digest of a kind; zeros for an absent one. */
  digestOf(kind: string): string {
    return this.held?.kinds.get(kind)?.summary().digest ?? '0'.repeat(32);
  }

  /** Captures what to write now. Ended by `written` or `failed`. */
  capture(): Capture {
    const differing = this.#differing;
    this.#differing = new Map();
    this.#inFlight = differing;
    this.#observedInFlight = this.#observed;
    this.#observed = true;
    const { version } = this;
    const head = { removed: this.#removed, compared: this.held?.compared ?? null, kinds: this.#kindHeads() };
    const common = { version, base: this.#base, head, fields: this.#fields(), observed: this.#observedInFlight };
    return this.#base === undefined ? { ...common, ...this.#whole() } : { ...common, ...this.#part(differing) };
  }

  /** The write succeeded. */
  written({ version, fields }: Capture): void {
    this.#inFlight = undefined;
    this.takeoverAt = undefined;
    this.#base = { version, fields };
    this.there = versionText(version);
  }

  /** The write failed: its changes are still pending. */
  failed(): void {
    const newer = this.#differing;
    this.#observed &&= this.#observedInFlight;
    this.#differing = this.#inFlight ?? new Map();
    this.#inFlight = undefined;
    if (this.#base === undefined) this.#differing = new Map();
    else
      for (const [kind, keys] of newer)
        for (const [id, hash] of keys) if (!this.#keys(kind).has(id)) this.#keys(kind).set(id, hash);
  }

  #end(): void {
    this.held = undefined;
    this.#removed = true;
    this.mine = false;
    this.corrupt = false;
    this.#index.clear();
    this.forgetBase();
    this.#changes += 1;
  }

  #differ(kind: string, id: string, hash: string | undefined): void {
    const index = this.#index.get(kind) ?? new KindIndex();
    this.#index.set(kind, index);
    if (this.#base !== undefined || this.#inFlight !== undefined) {
      const keys = this.#keys(kind);
      if (!keys.has(id)) keys.set(id, index.get(id));
    }
    if (hash === undefined) index.delete(id);
    else index.set(id, hash);
  }

  #keys(kind: string): Map<string, string | undefined> {
    const keys = this.#differing.get(kind) ?? new Map<string, string | undefined>();
    this.#differing.set(kind, keys);
    return keys;
  }

  #kindHeads(): KindHead[] {
    return [...(this.held?.kinds ?? [])].map(([id, held]) => {
      const { kind, announced, synced, digest } = held.summary();
      return { kind, announced, synced, digest, buckets: this.#index.get(id)?.used ?? [] };
    });
  }

  /** One for each object and each non-empty bucket. */
  #fields(): number {
    return [...this.#index.values()].reduce((sum, index) => sum + index.size + index.used.length, 0);
  }

  #whole(): Pick<Capture, 'buckets' | 'objects' | 'deletes' | 'steps'> {
    const buckets = [...this.#index].flatMap(([kind, index]) =>
      index.used.map((bucket) => ({ field: indexField(kind, bucket), entries: index.entries(bucket) })),
    );
    const objects = [...(this.held?.kinds ?? [])].flatMap(([kind, { objects: all }]) =>
      [...all].map(([id, object]) => ({ field: objectField(kind, id, object.hash), object })),
    );
    return { buckets, objects, deletes: [], steps: [] };
  }

  #part(differing: Differing): Pick<Capture, 'buckets' | 'objects' | 'deletes' | 'steps'> {
    const buckets: Capture['buckets'][number][] = [];
    const objects: Capture['objects'][number][] = [];
    const deletes: string[] = [];
    const steps: KindStep[] = [];
    for (const [id, held] of this.held?.kinds ?? []) {
      const { kind, announced, synced, digest } = held.summary();
      const upserts: StoredObject[] = [];
      const gone: ObjectKey[] = [];
      const touched = new Set<number>();
      for (const [name, hash] of differing.get(id) ?? []) {
        const object = held.objects.get(name);
        if (object?.hash === hash) continue;
        touched.add(bucketOf(name));
        if (hash !== undefined) deletes.push(objectField(id, name, hash));
        if (object === undefined) gone.push(keyOf(kind, name));
        else {
          upserts.push(object);
          objects.push({ field: objectField(id, name, object.hash), object });
        }
      }
      for (const bucket of touched) {
        const entries = this.#index.get(id)?.entries(bucket) ?? [];
        const field = indexField(id, bucket);
        if (entries.length === 0) deletes.push(field);
        else buckets.push({ field, entries });
      }
      steps.push({ kind, announced, synced, digest, upserts, deletes: gone });
    }
    return { buckets, objects, deletes, steps };
  }
}

function keyOf(kind: ObjectKind, id: string): ObjectKey {
  const slash = id.indexOf('/');
  return { ...kind, namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}
