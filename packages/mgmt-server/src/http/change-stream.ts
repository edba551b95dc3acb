/** Changes of the API's collections as server-sent events: all items first, then what differs. */
import { type ApiContext, type Item, listItems, type Resource } from './resources.ts';

/** One event: `set` with an item, `delete` with its id, `synced` after the first items. */
export interface ChangeEvent {
  readonly event: 'set' | 'delete' | 'synced';
  readonly data: string;
}

/** How often a slow or busy stream looks again, at the most: changes in between come together. Milliseconds. */
const PACE_MS = 100;

interface Ending {
  onAbort(listener: () => void): void;
}

export class ChangeStream implements Disposable {
  readonly #context: ApiContext;
  readonly #wakers = new Set<() => void>();
  readonly #stop: () => void;
  #ended = false;

  constructor(context: ApiContext) {
    this.#context = context;
    this.#stop = context.fleet.listen(() => this.wake());
  }

  /** Something that is shown has changed. */
  wake(): void {
    for (const waker of this.#wakers) waker();
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    this.#stop();
    this.wake();
  }

  /** The events of one listener, until it goes. At any time it is at most one state behind, however slow it is. */
  async *events(resource: Resource, listener: Ending): AsyncGenerator<ChangeEvent> {
    let gone = false;
    let wake: () => void = () => undefined;
    const waker = (): void => wake();
    this.#wakers.add(waker);
    listener.onAbort(() => {
      gone = true;
      wake();
    });
    const sent = new Map<string, string>();
    let first = true;
    try {
      while (!gone && !this.#ended) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        yield* this.#differences(resource, sent);
        if (first) yield { event: 'synced', data: '{}' };
        first = false;
        if (gone || this.#ended) return;
        await changed;
        await new Promise((resolve) => setTimeout(resolve, PACE_MS));
      }
    } finally {
      this.#wakers.delete(waker);
    }
  }

  *#differences(resource: Resource, sent: Map<string, string>): Generator<ChangeEvent> {
    const items = new Map(listItems(this.#context, resource).map((item: Item) => [item.id, JSON.stringify(item)]));
    for (const [id, data] of items) {
      if (sent.get(id) === data) continue;
      sent.set(id, data);
      yield { event: 'set', data };
    }
    for (const id of [...sent.keys()]) {
      if (items.has(id)) continue;
      sent.delete(id);
      yield { event: 'delete', data: JSON.stringify({ id }) };
    }
  }
}
