/** Which objects one side has: by kind, with their hashes and the digests over them. */
import type { Entry } from '../message.ts';
import { BucketDigests, DIGEST_BYTES, inBuckets } from './digest.ts';
import { entryId, entryOf, kindId, type ObjectKey, type ObjectKind } from './envelope.ts';

/** The least a side must know of an object it has. */
export interface Held {
  readonly hash: string;
  /** Length of its body. */
  readonly bytes: number;
}

/** As many as hashes have. */
const UNCERTAINTY_DIGITS = 32;

interface KindContent<V> {
  readonly kind: ObjectKind;
  readonly entries: Map<string, V>;
  readonly digests: BucketDigests;
}

/** A set of objects with its digests, kept up by each change. `V` is what is kept of an object. */
export class ContentIndex<V extends Held = Held> {
  readonly #kinds = new Map<string, KindContent<V>>();
  #size = 0;
  #bytes = 0;
  #unconfirmedWrites = 0;

  /** Objects of all kinds. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of all bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The kinds that have, or once had, an object. */
  kinds(): ObjectKind[] {
    return [...this.#kinds.values()].map(({ kind }) => kind);
  }

  get(kind: string, entry: string): V | undefined {
    return this.#kinds.get(kind)?.entries.get(entry);
  }

  /** Puts an object in. @returns false when it was there with the same hash. */
  set(key: ObjectKey, value: V): boolean {
    const content = this.#content(key);
    const id = entryId(key);
    const old = content.entries.get(id);
    content.entries.set(id, value);
    this.#bytes += value.bytes - (old?.bytes ?? 0);
    if (old?.hash === value.hash) return false;
    if (old === undefined) this.#size++;
    else content.digests.toggle(id, old.hash);
    content.digests.toggle(id, value.hash);
    return true;
  }

  /** Takes an object out. @returns false when it was not there. */
  delete(key: ObjectKey): boolean {
    const content = this.#kinds.get(kindId(key));
    const id = entryId(key);
    const old = content?.entries.get(id);
    if (content === undefined || old === undefined) return false;
    content.entries.delete(id);
    content.digests.toggle(id, old.hash);
    this.#size--;
    this.#bytes -= old.bytes;
    return true;
  }

  /**
   * Marks objects whose change is under way: until it is done nobody can say in which state they are, and a comparison finds that they differ.
   * @returns a hash that no content has, and no other doubt: by it whoever ends the change sees whether it is still the last one
   */
  uncertainty(keys: readonly ObjectKey[]): string {
    this.#unconfirmedWrites++;
    const hash = this.#unconfirmedWrites.toString(16).padStart(UNCERTAINTY_DIGITS, '0');
    for (const key of keys) this.set(key, { ...this.get(kindId(key), entryId(key)), hash, bytes: 0 } as V);
    return hash;
  }

  /** Whether an object's last change is the one that was given this hash. */
  isUnconfirmed(key: ObjectKey, uncertainty: string): boolean {
    return this.get(kindId(key), entryId(key))?.hash === uncertainty;
  }

  count(kind: string): number {
    return this.#kinds.get(kind)?.entries.size ?? 0;
  }

  /** The digest of all objects of a kind; of none where the kind is unknown. */
  digest(kind: string): Uint8Array {
    return this.#kinds.get(kind)?.digests.total() ?? new Uint8Array(DIGEST_BYTES);
  }

  /** The digests of a kind's buckets. */
  bucketDigests(kind: string): Uint8Array {
    return (this.#kinds.get(kind)?.digests ?? new BucketDigests()).buckets();
  }

  /** Names and values of a kind's objects, in no particular order. */
  entries(kind: string): Iterable<readonly [string, V]> {
    return this.#kinds.get(kind)?.entries ?? [];
  }

  /** The entries of some buckets of a kind. */
  *listBuckets(kind: string, mask: bigint): Generator<Entry> {
    for (const [id, { hash }] of this.entries(kind)) if (inBuckets(mask, id)) yield { ...entryOf(id), hash };
  }

  #content(kind: ObjectKind): KindContent<V> {
    const id = kindId(kind);
    const known = this.#kinds.get(id);
    if (known !== undefined) return known;
    const { group, version, kind: name } = kind;
    const content = { kind: { group, version, kind: name }, entries: new Map(), digests: new BucketDigests() };
    this.#kinds.set(id, content);
    return content;
  }
}
