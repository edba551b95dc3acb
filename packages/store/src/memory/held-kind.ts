/** The objects of one kind in one cluster, in memory. */
import { ContentDigest } from '../content-digest.ts';
import { entryId, type KindSnapshot, type ObjectKey, type ObjectKind, type StoredObject } from '../snapshot.ts';

/** The real changes of a step. */
export interface AppliedStep {
  readonly upserts: readonly StoredObject[];
  readonly deletes: readonly ObjectKey[];
}

export class HeldKind {
  readonly kind: ObjectKind;
  #announced = false;
  #synced = false;
  readonly #objects = new Map<string, StoredObject>();
  readonly #digest = new ContentDigest();
  /** Existing objects whose present bytes are unknown. */
  readonly #missing = new Map<string, ObjectKey>();
  #bytes = 0;

  constructor(kind: ObjectKind) {
    this.kind = kind;
  }

  get announced(): boolean {
    return this.#announced;
  }

  /** Whether the kind is synced: all its objects were sent, and none was lost since. */
  get synced(): boolean {
    return this.#synced && this.#missing.size === 0;
  }

  /** By `namespace/name`. */
  get objects(): ReadonlyMap<string, StoredObject> {
    return this.#objects;
  }

  get missing(): ReadonlyMap<string, ObjectKey> {
    return this.#missing;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Total bytes of the bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The agent sends this kind. */
  announce(): void {
    this.#announced = true;
  }

  /** No agent sends this kind any more, so objects that are absent here may exist. */
  retire(): void {
    this.#announced = false;
    this.#synced = false;
  }

  /** From now on absence here means absence in the cluster. */
  markSynced(): void {
    this.#synced = true;
  }

  /** Sets the state that another replica announced. */
  stand(announced: boolean, synced: boolean): void {
    this.#announced = announced;
    this.#synced = synced;
  }

  /** Sets all objects whose bytes were lost; their earlier state stays. */
  setMissing(keys: readonly ObjectKey[]): void {
    this.#missing.clear();
    for (const key of keys) this.#missing.set(entryId(key), key);
  }

  /** Applies a step. An upsert with an equal hash is not a change, nor is the deletion of an absent object. */
  apply(upserts: readonly StoredObject[], deletes: readonly ObjectKey[]): AppliedStep {
    return {
      upserts: upserts.filter((object) => this.#set(object)),
      deletes: deletes.filter((key) => this.#delete(key)),
    };
  }

  snapshot(): KindSnapshot {
    return { ...this.summary(), objects: [...this.#objects.values()], missing: [...this.#missing.values()] };
  }

  summary(): Pick<KindSnapshot, 'kind' | 'announced' | 'synced' | 'digest'> {
    return { kind: this.kind, announced: this.#announced, synced: this.synced, digest: this.#digest.hex };
  }

  #set(object: StoredObject): boolean {
    const id = entryId(object);
    this.#missing.delete(id);
    const old = this.#objects.get(id);
    if (old?.hash === object.hash) return false;
    if (old !== undefined) this.#digest.toggle(id, old.hash);
    this.#digest.toggle(id, object.hash);
    this.#bytes += object.body.byteLength - (old?.body.byteLength ?? 0);
    this.#objects.set(id, object);
    return true;
  }

  #delete(key: ObjectKey): boolean {
    const id = entryId(key);
    this.#missing.delete(id);
    const old = this.#objects.get(id);
    if (old === undefined) return false;
    this.#digest.toggle(id, old.hash);
    this.#bytes -= old.body.byteLength;
    return this.#objects.delete(id);
  }
}
