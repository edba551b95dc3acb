/** The stored objects of one resource with their recent history. */
import type { KubeObject } from '../object.ts';
import { EventHistory, type StoredEvent } from './event-history.ts';

/** The key of an object in its collection; keys sort as in the real server's lists: by namespace, then name. */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** A snapshot of a collection: objects in key order at a revision. */
export type Snapshot = readonly (readonly [key: string, object: KubeObject])[];

interface Subscription {
  readonly onEvent: (event: StoredEvent) => void;
  readonly onClose: () => void;
}

/** Objects of one resource by key. Only the store writes to it. */
export class ObjectCollection {
  readonly #objects = new Map<string, KubeObject>();
  readonly #subscriptions = new Set<Subscription>();
  #sorted: readonly string[] | undefined;
  /** Recent changes. */
  readonly history: EventHistory;

  constructor(start: number, historyCapacity: number) {
    this.history = new EventHistory(start, historyCapacity);
  }

  /** Number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /** The object under a key. */
  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  /** Every object, unordered. */
  values(): IterableIterator<KubeObject> {
    return this.#objects.values();
  }

  /** The objects in key order, of one namespace if given. */
  snapshot(namespace?: string): Snapshot {
    return within(this.#keys(), namespace).map((key) => [key, this.#objects.get(key) as KubeObject]);
  }

  /** The objects at a past revision, or undefined if it is no longer known. */
  snapshotAt(revision: number, namespace?: string): Snapshot | undefined {
    const later = this.history.after(revision);
    if (later === undefined) return undefined;
    if (later.length === 0) return this.snapshot(namespace);
    const objects = new Map(this.#objects);
    for (const event of later.toReversed()) {
      if (event.previous === undefined) objects.delete(event.key);
      else objects.set(event.key, event.previous);
    }
    return within([...objects.keys()].sort(), namespace).map((key) => [key, objects.get(key) as KubeObject]);
  }

  /** Applies a change and notifies all listeners in registration order. */
  apply(event: StoredEvent): void {
    if (event.type === 'DELETED') this.#objects.delete(event.key);
    else this.#objects.set(event.key, event.object);
    if (event.type !== 'MODIFIED') this.#sorted = undefined;
    this.history.append(event);
    for (const { onEvent } of [...this.#subscriptions]) onEvent(event);
  }

  /**
   * Calls `onEvent` inside each later change, where writes are not allowed, and `onClose` when the resource is no
   * longer served. Disposing the result ends that.
   */
  subscribe(onEvent: (event: StoredEvent) => void, onClose: () => void = () => {}): Disposable {
    const subscription = { onEvent, onClose };
    this.#subscriptions.add(subscription);
    return { [Symbol.dispose]: () => void this.#subscriptions.delete(subscription) };
  }

  /** Notifies all listeners that no more events follow. */
  close(): void {
    for (const { onClose } of [...this.#subscriptions]) onClose();
    this.#subscriptions.clear();
  }

  #keys(): readonly string[] {
    this.#sorted ??= [...this.#objects.keys()].sort();
    return this.#sorted;
  }
}

/** The range of sorted keys of a namespace. */
function within(keys: readonly string[], namespace: string | undefined): readonly string[] {
  if (namespace === undefined || namespace === '') return keys;
  const prefix = `${namespace}/`;
  return keys.filter((key) => key.startsWith(prefix));
}
