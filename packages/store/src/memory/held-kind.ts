/** The objects of one kind in one cluster, in memory. */
import { ContentDigest } from '../content-digest.ts';
import { entryId, type KindSnapshot, type ObjectKey, type ObjectKind, type StoredObject } from '../snapshot.ts';

/** What a step really changed. */
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
  /** Objects whose present bytes are not known, though they are known to be there. */
  readonly #missing = new Map<string, ObjectKey>();
  #bytes = 0;

  constructor(kind: ObjectKind) {
    this.kind = kind;
  }

  get announced(): boolean {
    return this.#announced;
  }

  /** Whether everything of the kind is known: that it was told in full, and nothing of it was lost since. */
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

  /** Bytes of the bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The agent tells of this kind. */
  announce(): void {
    this.#announced = true;
  }

  /** Nobody tells of this kind any more, so what is absent here may well be there. */
  retire(): void {
    this.#announced = false;
    this.#synced = false;
  }

  /** From now on what is absent here is absent in the cluster. */
  markSynced(): void {
    this.#synced = true;
  }

  /** How it stands by the word of another replica. */
  stand(announced: boolean, synced: boolean): void {
    this.#announced = announced;
    this.#synced = synced;
  }

  /** These are all objects whose bytes were lost; what was known of them before stays. */
  setMissing(keys: readonly ObjectKey[]): void {
    this.#missing.clear();
    for (const key of keys) this.#missing.set(entryId(key), key);
  }

  /** Applies a step; an object with the hash it had is no change, nor is the deletion of one that is not there. */
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
