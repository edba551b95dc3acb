/** Changes of the API's collections as server-sent events: first all items, then the changes. */
import { sha256 } from '@meshrelay/host/hash';
import type { ChangeSet, Key } from '@meshrelay/relay-core';
import { type ApiContext, type Item, RESOURCES, type Resource } from './resources.ts';

/** One event: `set` with an item, `delete` with its id, `synced` after the first items. */
export interface ChangeEvent {
  readonly event: 'set' | 'delete' | 'synced';
  readonly data: string;
}

export interface Ending {
  onAbort(listener: () => void): void;
}

interface Listener {
  readonly resource: Resource;
  /** Items that may have changed since the last check. Each item is queued once, even for a slow listener. */
  readonly dirty: Set<Key>;
  wake: () => void;
}

interface Sent {
  readonly id: string;
  readonly hash: string;
}

/** Minimum interval between two checks of a stream, in milliseconds: changes in between are coalesced. */
const MIN_INTERVAL_MS = 100;
/** Maximum number of streams; each holds a hash of every item. */
const MAX_LISTENERS = 64;

export class ChangeStream implements Disposable {
  readonly #context: ApiContext;
  readonly #listeners = new Set<Listener>();
  readonly #stop: () => void;
  #ended = false;

  constructor(context: ApiContext) {
    this.#context = context;
    this.#stop = context.fleet.listen((changes) => this.#committed(changes));
  }

  /** Open streams. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Whether no more listeners are accepted. */
  get full(): boolean {
    return this.#listeners.size >= MAX_LISTENERS;
  }

  /** Marks items that state outside the graph may have changed. */
  touch(resource: Resource, keys: Iterable<Key>): void {
    for (const listener of this.#listeners) {
      if (listener.resource !== resource) continue;
      for (const key of keys) listener.dirty.add(key);
      if (listener.dirty.size > 0) listener.wake();
    }
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    this.#stop();
    for (const { wake } of this.#listeners) wake();
  }

  /** The events of one listener, until it disconnects or the server stops. */
  async *events(resource: Resource, ending: Ending): AsyncGenerator<ChangeEvent> {
    const keys = RESOURCES[resource].keys(this.#context);
    const listener: Listener = { resource, dirty: new Set(keys), wake: () => undefined };
    let gone = false;
    ending.onAbort(() => {
      gone = true;
      listener.wake();
    });
    const isOver = (): boolean => gone || this.#ended;
    this.#listeners.add(listener);
    try {
      const sent = new Map<Key, Sent>();
      for (let first = true; !isOver(); first = false) {
        const changed = new Promise<void>((wake) => {
          listener.wake = wake;
        });
        yield* this.#differences(listener, sent, isOver);
        if (first) yield { event: 'synced', data: '{}' };
        if (isOver()) return;
        if (listener.dirty.size === 0) await changed;
        await new Promise((resume) => setTimeout(resume, MIN_INTERVAL_MS));
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  #committed(changes: ChangeSet): void {
    const resources = new Set([...this.#listeners].map(({ resource }) => resource));
    for (const resource of resources) this.touch(resource, RESOURCES[resource].changed(this.#context, changes));
  }

  *#differences({ resource, dirty }: Listener, sent: Map<Key, Sent>, isOver: () => boolean): Generator<ChangeEvent> {
    for (const key of dirty) {
      if (isOver()) return;
      dirty.delete(key);
      const item: Item | undefined = RESOURCES[resource].item(this.#context, key);
      const before = sent.get(key);
      if (item === undefined) {
        sent.delete(key);
        if (before !== undefined) yield { event: 'delete', data: JSON.stringify({ id: before.id }) };
        continue;
      }
      const data = JSON.stringify(item);
      const hash = sha256(data);
      if (before?.hash === hash) continue;
      sent.set(key, { id: item.id, hash });
      yield { event: 'set', data };
    }
  }
}
