/** The desired content of the other side: objects by kind, and which kinds are synced. */
import { ContentIndex } from './content-index.ts';
import { entryId, kindId, type ObjectEnvelope, type ObjectKey, type ObjectKind } from './envelope.ts';

/** A stored envelope. */
export interface TableEntry {
  readonly hash: string;
  readonly bytes: number;
  readonly envelope: ObjectEnvelope;
}

/** Changes of a table. Kinds and entries are given by their ids. */
export interface TableListener {
  /** An object was added, changed or deleted. */
  changed(kind: string, entry: string): void;
  /** A kind became synced or unsynced. */
  syncedChanged(kind: ObjectKind): void;
}

/**
 * The content that delta senders read. It outlives their streams, so that a new stream sends only differences. Senders
 * coalesce changes: a table that changes faster than the stream costs only its latest state.
 */
export class ObjectTable {
  readonly content: ContentIndex<TableEntry> = new ContentIndex();
  readonly #synced = new Map<string, ObjectKind>();
  readonly #listeners = new Set<TableListener>();

  /** The stored entry of an object. */
  get(key: ObjectKey): TableEntry | undefined {
    return this.content.get(kindId(key), entryId(key));
  }

  /** Adds an object. @returns false, without calling listeners, when it was present with the same hash */
  upsert(envelope: ObjectEnvelope): boolean {
    const changed = this.content.set(envelope, { hash: envelope.hash, bytes: envelope.body.byteLength, envelope });
    if (changed) this.#changed(envelope);
    return changed;
  }

  /** Removes an object. @returns false when it was not present */
  delete(key: ObjectKey): boolean {
    const changed = this.content.delete(key);
    if (changed) this.#changed(key);
    return changed;
  }

  /** From now on, an absent object of this kind does not exist. Before, nothing of a kind is sent. */
  markSynced(kind: ObjectKind): void {
    const id = kindId(kind);
    if (this.#synced.has(id)) return;
    this.#synced.set(id, kind);
    for (const listener of this.#listeners) listener.syncedChanged(kind);
  }

  /** The kind is no longer synced (a watch was lost): its changes wait until it is synced again. */
  markUnsynced(kind: ObjectKind): void {
    if (!this.#synced.delete(kindId(kind))) return;
    for (const listener of this.#listeners) listener.syncedChanged(kind);
  }

  isSynced(kind: string): boolean {
    return this.#synced.has(kind);
  }

  /** @returns a function that removes the listener */
  listen(listener: TableListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(key: ObjectKey): void {
    const kind = kindId(key);
    const entry = entryId(key);
    for (const listener of this.#listeners) listener.changed(kind, entry);
  }
}
