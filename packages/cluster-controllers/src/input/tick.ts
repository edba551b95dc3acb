/** Changes of one kind that a watch reported in one tick, and their readers. */
import type { KubeObject } from '@meshrelay/api';
import type { KindSink, ObjectKey } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';

/** Changes of one kind. An object that was removed and recreated is in both lists. */
export interface Tick {
  /** `upserts` contains all existing objects. */
  readonly all: boolean;
  readonly upserts: readonly KubeObject[];
  readonly removed: readonly ObjectKey[];
  /** With this tick the kind is synced. */
  readonly complete: boolean;
}

/** Ingests the objects of some kinds. */
export interface KindReader {
  readonly kinds: readonly ResourceKind[];
  /**
   * `meaning`: objects without fields that change without meaning. `version`: also with the resourceVersion that writes
   * depend on.
   */
  readonly needs: 'meaning' | 'version';
  take(kind: ResourceKind, tick: Tick): void;
  /** The kind is no longer synced; ingested objects remain valid. */
  lost(kind: ResourceKind): void;
}

/** Collects the calls of one tick and passes them on as one. */
export class TickSink implements KindSink {
  readonly #give: (tick: Tick) => void;
  #all = false;
  #complete = false;
  #upserts: KubeObject[] = [];
  #removed: ObjectKey[] = [];

  constructor(give: (tick: Tick) => void) {
    this.#give = give;
  }

  transact(body: () => void): void {
    body();
    const tick = { all: this.#all, upserts: this.#upserts, removed: this.#removed, complete: this.#complete };
    this.#all = false;
    this.#complete = false;
    this.#upserts = [];
    this.#removed = [];
    this.#give(tick);
  }

  replaceAll(objects: readonly KubeObject[]): void {
    this.#all = true;
    this.#upserts = [...objects];
    this.#removed = [];
  }

  upsert(object: KubeObject): void {
    this.#upserts.push(object);
  }

  remove(key: ObjectKey): void {
    this.#removed.push(key);
  }

  synced(): void {
    this.#complete = true;
  }
}
