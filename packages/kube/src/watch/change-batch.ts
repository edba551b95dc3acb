/** Collects the changes of one tick, the last one of each object. */
import type { KubeObject } from '@meshrelay/api';
import type { ObjectKey } from '../objects/resource-path.ts';
import type { KindSink } from './kind-sink.ts';

interface Change {
  readonly key: ObjectKey;
  /** The object was deleted, possibly before it was recreated. */
  readonly removed: boolean;
  readonly object?: KubeObject;
}

/** At most one entry per object, however many events arrive. */
export class ChangeBatch {
  #changes = new Map<string, Change>();

  /** Objects that wait to be passed on. */
  get size(): number {
    return this.#changes.size;
  }

  upsert(object: KubeObject, recreated: boolean): void {
    const key = { namespace: object.metadata.namespace, name: object.metadata.name };
    const removed = recreated || this.#changes.get(idOf(key))?.removed === true;
    this.#changes.set(idOf(key), { key, removed, object });
  }

  remove(key: ObjectKey): void {
    this.#changes.set(idOf(key), { key, removed: true });
  }

  /** Drops the waiting changes. */
  clear(): void {
    this.#changes = new Map();
  }

  /** Passes the changes to the sink, in the order in which their objects first changed; `complete` marks it synced. */
  flush(sink: KindSink, complete = false): void {
    const changes = this.#changes;
    if (changes.size === 0 && !complete) return;
    this.#changes = new Map();
    transact(sink, () => {
      for (const { key, removed, object } of changes.values()) {
        if (removed) sink.remove(key);
        if (object !== undefined) sink.upsert(object);
      }
      if (complete) sink.synced();
    });
  }

  /** Passes the waiting objects as the complete set. */
  flushAll(sink: KindSink): void {
    const objects = [...this.#changes.values()].flatMap(({ object }) => object ?? []);
    this.#changes = new Map();
    giveAll(sink, objects);
  }
}

/** Passes a complete set. */
export function giveAll(sink: KindSink, objects: readonly KubeObject[]): void {
  transact(sink, () => {
    sink.replaceAll(objects);
    sink.synced();
  });
}

/** A unique text per key: neither part of a key contains a slash. */
export function idOf({ namespace, name }: ObjectKey): string {
  return `${namespace ?? ''}/${name}`;
}

function transact(sink: KindSink, body: () => void): void {
  if (sink.transact === undefined) body();
  else sink.transact(body);
}
