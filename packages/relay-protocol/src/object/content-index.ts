/** The objects of one side: by kind, with their hashes and the digests over them. */
import type { Entry } from '../message.ts';
import { BucketDigests, DIGEST_BYTES, inBuckets } from './digest.ts';
import { entryId, entryOf, kindId, type ObjectKey, type ObjectKind } from './envelope.ts';

/** The minimum that a side knows of an object it has. */
export interface Held {
  readonly hash: string;
  /** Length of its body. */
  readonly bytes: number;
}

/** As many digits as a hash has. */
const UNCERTAINTY_DIGITS = 32;

interface KindContent<V> {
  readonly kind: ObjectKind;
  readonly entries: Map<string, V>;
  readonly digests: BucketDigests;
}

/** A set of objects with its digests, updated by each change. `V` is the stored value of an object. */
export class ContentIndex<V extends Held = Held> {
  readonly #kinds = new Map<string, KindContent<V>>();
  #size = 0;
  #bytes = 0;
  #unconfirmedWrites = 0;

  /** Number of objects of all kinds. */
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

  /** Adds an object. @returns false when it was present with the same hash */
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

  /** Removes an object. @returns false when it was not present */
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
   * Marks objects with a pending change: their state is unknown until it completes, and a comparison finds that they
   * differ.
   * @returns a unique hash that no content has; the code that completes the change uses it to check that no later
   *   change replaced it
   */
  uncertainty(keys: readonly ObjectKey[]): string {
    this.#unconfirmedWrites++;
    const hash = this.#unconfirmedWrites.toString(16).padStart(UNCERTAINTY_DIGITS, '0');
    for (const key of keys) this.set(key, { ...this.get(kindId(key), entryId(key)), hash, bytes: 0 } as V);
    return hash;
  }

  /** Whether the last change of an object is the one with this hash. */
  isUnconfirmed(key: ObjectKey, uncertainty: string): boolean {
    return this.get(kindId(key), entryId(key))?.hash === uncertainty;
  }

  count(kind: string): number {
    return this.#kinds.get(kind)?.entries.size ?? 0;
  }

  /** The digest of all objects of a kind; the empty digest for an unknown kind. */
  digest(kind: string): Uint8Array {
    return this.#kinds.get(kind)?.digests.total() ?? new Uint8Array(DIGEST_BYTES);
  }

  /** The bucket digests of a kind. */
  bucketDigests(kind: string): Uint8Array {
    return (this.#kinds.get(kind)?.digests ?? new BucketDigests()).buckets();
  }

  /** Names and values of a kind's objects, unordered. */
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
