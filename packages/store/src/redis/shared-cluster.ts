/** One cluster in this replica's memory, and how what Redis has of it differs. */
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

/** Keys that differ from what Redis has, by kind, each with the hash that Redis has; undefined where it has none. */
type Differing = Map<string, Map<string, string | undefined>>;

/** What Redis is known to have of the cluster. */
interface Base {
  readonly version: StoredVersion;
  /** Fields of its contents; undefined where what names them is damaged. */
  readonly fields: number | undefined;
}

/** Everything a write needs, taken at one moment: what changes afterwards is the next write's. */
export interface Capture {
  readonly version: StoredVersion;
  /** What it is a change of; undefined for a whole state. */
  readonly base: Base | undefined;
  /** Fields that the contents have when it is written. */
  readonly fields: number;
  readonly head: Head;
  readonly buckets: ReadonlyArray<{ readonly field: string; readonly entries: IndexEntries }>;
  readonly objects: ReadonlyArray<{ readonly field: string; readonly object: StoredObject }>;
  /** Fields that nothing names any more. */
  readonly deletes: readonly string[];
  /** For followers; of a whole state there are none. */
  readonly steps: readonly KindStep[];
  /** Whether each deletion since the base was seen to happen. */
  readonly observed: boolean;
}

/** What another replica told of a cluster. */
export interface Adopted {
  readonly kinds: readonly AdoptedKind[];
  readonly compared: SnapshotVersion | undefined;
  /** Of the contents in Redis; undefined where they are not known. */
  readonly fields: number | undefined;
}

export class SharedCluster {
  readonly cluster: string;
  /** Undefined where nothing is known of it. */
  held: HeldCluster | undefined;
  /** Whether its agent is, or was last, connected to this replica: then what is here is newer than all else. */
  mine = false;
  /** When this replica writes it whole though its agent is connected to another, or to none; undefined for not at all. */
  takeoverAt: number | undefined;
  /** The version that Redis has, as text, as far as is known; '' for none. A write expects to find it. */
  there = '';
  /** Whether some of it could not be read from Redis. */
  corrupt = false;
  #life = 0;
  #removed = false;
  #base: Base | undefined;
  readonly #index = new Map<string, KindIndex>();
  #differing: Differing = new Map();
  #inFlight: Differing | undefined;
  /** Counts the changes here, so that whoever reads Redis meanwhile can tell that his answer is too late. */
  #changes = 0;
  /** Whether each deletion since the last capture was seen to happen, and those of the capture under way. */
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

  /** Whether anything is known, if only that it was removed. */
  get known(): boolean {
    return this.held !== undefined || this.#removed;
  }

  /** Whether all of it is known as well as its agent told it: only that may take the place of what Redis has. */
  get sound(): boolean {
    return this.known && !this.corrupt;
  }

  get changes(): number {
    return this.#changes;
  }

  get base(): Base | undefined {
    return this.#base;
  }

  /** Whether Redis has, as far as is known here, something else. */
  get isBehind(): boolean {
    if (!this.known) return false;
    return (
      this.#base === undefined || compareStored(this.#base.version, this.version) !== 0 || this.#differing.size > 0
    );
  }

  /** Whether a write is under way. */
  get isWriting(): boolean {
    return this.#inFlight !== undefined;
  }

  /** Keys that wait to be written. */
  get waiting(): number {
    if (this.known && this.#base === undefined) return this.#fields();
    return [...this.#differing.values()].reduce((sum, keys) => sum + keys.size, 0);
  }

  /** The agent's term begins here; after a removal that is a new life. */
  begin(term: number): HeldCluster {
    this.mine = true;
    this.takeoverAt = undefined;
    // What could not be read will be told anew, and written anew.
    if (this.corrupt) this.forgetBase();
    this.corrupt = false;
    if (this.held !== undefined) return this.held;
    if (this.#removed) this.#life += 1;
    this.#removed = false;
    this.held = new HeldCluster(this.cluster, { term, seq: 0 });
    return this.held;
  }

  /** Notes what a step has changed, and whether its deletions were seen to happen. */
  changed(kind: ObjectKind, { upserts, deletes }: AppliedStep, observed: boolean): void {
    this.#changes += 1;
    if (deletes.length > 0 && !observed) this.#observed = false;
    const id = kindId(kind);
    for (const object of upserts) this.#differ(id, entryId(object), object.hash);
    for (const key of deletes) this.#differ(id, entryId(key), undefined);
  }

  /** Notes that flags or the version have changed. */
  touched(): void {
    this.#changes += 1;
  }

  /** It is no longer known at all. @returns whether it was */
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
   * Goes on to what another replica told.
   * @returns what really changed, by kind
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

  /** What Redis has is found to be something else, or unknown: the next write is a whole one. */
  forgetBase(): void {
    this.#base = undefined;
    this.#differing = new Map();
  }

  /** What Redis has is found to be what is here. */
  confirm(version: StoredVersion, fields: number | undefined = this.#fields()): void {
    this.takeoverAt = undefined;
    this.#base = { version, fields };
    this.#differing = new Map();
    this.#observed = true;
    this.there = versionText(version);
  }

  /** The digest of a kind, zeros where there is none. */
  digestOf(kind: string): string {
    return this.held?.kinds.get(kind)?.summary().digest ?? '0'.repeat(32);
  }

  /** Takes what is to be written now. To be ended by `written` or `failed`. */
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

  /** The write is done. */
  written({ version, fields }: Capture): void {
    this.#inFlight = undefined;
    this.takeoverAt = undefined;
    this.#base = { version, fields };
    this.there = versionText(version);
  }

  /** The write did not come about: what it was to write is still to be written. */
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

  /** One for each object and each bucket that is not empty. */
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
