/**
 * Sends changes to watchers, each at its own rate. A watcher's queue is bounded: above its limit, one `lost` replaces
 * the queued changes.
 */
import type { ChangeOrigin, SnapshotChange, WatcherStats } from './snapshot-store.ts';

/** Maximum queued changes of one watcher. */
const MAX_WAITING = 1024;
const LOST: SnapshotChange = { type: 'lost' };

/** All watchers of one store. */
export class ChangeFeed {
  readonly #watchers = new Set<Watcher>();
  readonly #maxWaiting: number;
  #ended = false;

  constructor(maxWaiting: number = MAX_WAITING) {
    this.#maxWaiting = maxWaiting;
  }

  /** Sends a change to every watcher. */
  publish(change: SnapshotChange): void {
    const origin = change.type === 'lost' ? undefined : change.origin;
    for (const watcher of this.#watchers) if (watcher.needs(origin)) watcher.push(change);
  }

  /** Starts a watcher: it misses nothing between this call and the first `next`. */
  watch(signal: AbortSignal, origin?: ChangeOrigin): AsyncIterable<SnapshotChange> {
    const watcher = new Watcher(this.#maxWaiting, origin);
    const end = (): void => {
      this.#watchers.delete(watcher);
      signal.removeEventListener('abort', end);
      watcher.end();
    };
    if (this.#ended || signal.aborted) {
      watcher.end();
      return changesOf(watcher, end);
    }
    this.#watchers.add(watcher);
    signal.addEventListener('abort', end);
    return changesOf(watcher, end);
  }

  stats(): readonly WatcherStats[] {
    return [...this.#watchers].map(({ depth, dropped }) => ({ depth, dropped }));
  }

  /** Ends every watcher; later ones end at once. */
  end(): void {
    this.#ended = true;
    for (const watcher of this.#watchers) watcher.end();
    this.#watchers.clear();
  }
}

async function* changesOf(watcher: Watcher, end: () => void): AsyncGenerator<SnapshotChange, undefined> {
  try {
    for (;;) {
      const change = await watcher.next();
      if (change === undefined) return undefined;
      yield change;
    }
  } finally {
    end();
  }
}

class Watcher {
  readonly #maxWaiting: number;
  readonly #waiting: SnapshotChange[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #dropped = 0;

  readonly #origin: ChangeOrigin | undefined;

  constructor(maxWaiting: number, origin: ChangeOrigin | undefined) {
    this.#maxWaiting = maxWaiting;
    this.#origin = origin;
  }

  /** Whether the watcher gets changes of that origin. */
  needs(origin: ChangeOrigin | undefined): boolean {
    return this.#origin === undefined || this.#origin === origin;
  }

  get depth(): number {
    return this.#waiting.length;
  }

  get dropped(): number {
    return this.#dropped;
  }

  push(change: SnapshotChange): void {
    if (this.#waiting.length >= this.#maxWaiting) {
      // A watcher that missed one change must compare anyway, so the other queued changes are useless.
      this.#dropped += this.#waiting.filter((waiting) => waiting !== LOST).length + 1;
      this.#waiting.length = 0;
      this.#waiting.push(LOST);
    } else {
      this.#waiting.push(change);
    }
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#waiting.length = 0;
    this.#wake?.();
  }

  async next(): Promise<SnapshotChange | undefined> {
    while (!this.#ended) {
      const change = this.#waiting.shift();
      if (change !== undefined) return change;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    return undefined;
  }
}
