/** What one side wants the other to have: objects by kind, and which kinds are known in full. */
import { ContentIndex } from './content-index.ts';
import { entryId, kindId, type ObjectEnvelope, type ObjectKey, type ObjectKind } from './envelope.ts';

/** An envelope as a table keeps it. */
export interface TableEntry {
  readonly hash: string;
  readonly bytes: number;
  readonly envelope: ObjectEnvelope;
}

/** What happens to a table. Kinds and entries are told by their ids. */
export interface TableListener {
  /** An object came, changed or went. */
  changed(kind: string, entry: string): void;
  /** A kind became known in full, or stopped being so. */
  syncedChanged(kind: ObjectKind): void;
}

/**
 * The content that senders of deltas send from. It outlives their streams, so that a new stream sends only what differs. Changes are
 * coalesced by the senders: a table that changes faster than a stream can follow costs nothing but the latest state.
 */
export class ObjectTable {
  readonly content: ContentIndex<TableEntry> = new ContentIndex();
  readonly #synced = new Map<string, ObjectKind>();
  readonly #listeners = new Set<TableListener>();

  /** An object that is in. */
  get(key: ObjectKey): TableEntry | undefined {
    return this.content.get(kindId(key), entryId(key));
  }

  /** Puts an object in. @returns false, and tells nobody, when it was there with the same hash. */
  upsert(envelope: ObjectEnvelope): boolean {
    const changed = this.content.set(envelope, { hash: envelope.hash, bytes: envelope.body.byteLength, envelope });
    if (changed) this.#changed(envelope);
    return changed;
  }

  /** Takes an object out. @returns false when it was not there. */
  delete(key: ObjectKey): boolean {
    const changed = this.content.delete(key);
    if (changed) this.#changed(key);
    return changed;
  }

  /** From now on the absence of an object of this kind means that it does not exist. Nothing of a kind is sent before. */
  markSynced(kind: ObjectKind): void {
    const id = kindId(kind);
    if (this.#synced.has(id)) return;
    this.#synced.set(id, kind);
    for (const listener of this.#listeners) listener.syncedChanged(kind);
  }

  /** The kind is no longer known in full (a watch was lost): its changes wait until it is marked synced again. */
  markUnsynced(kind: ObjectKind): void {
    if (!this.#synced.delete(kindId(kind))) return;
    for (const listener of this.#listeners) listener.syncedChanged(kind);
  }

  isSynced(kind: string): boolean {
    return this.#synced.has(kind);
  }

  /** @returns what ends the listening. */
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
