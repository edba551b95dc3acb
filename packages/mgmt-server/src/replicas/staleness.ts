/** Since when the data of clusters connected to other replicas is stale, because the shared store is unreachable. */
import { clearInterval, setInterval } from 'node:timers';
import type { SnapshotStore } from '@meshrelay/store';

export interface StalenessOptions {
  readonly store: Pick<SnapshotStore, 'stats'>;
  readonly now: () => Date;
}

/** Milliseconds of an outage before data counts as stale. */
const GRACE = 3_000;
const POLL_INTERVAL_MS = 1_000;

export class Staleness implements Disposable {
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<() => void>();
  #since: Date | undefined;

  constructor({ store, now }: StalenessOptions) {
    const check = (): void => {
      const { connected, sinceMs } = store.stats().replication ?? { connected: true, sinceMs: 0 };
      const stale = !connected && sinceMs > GRACE;
      if (stale === (this.#since !== undefined)) return;
      this.#since = stale ? new Date(now().getTime() - sinceMs) : undefined;
      for (const listener of this.#listeners) listener();
    };
    this.#timer = setInterval(check, POLL_INTERVAL_MS).unref();
  }

  /** Calls back when staleness begins or ends. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Undefined while the store is reachable, or nothing is shared. */
  get since(): Date | undefined {
    return this.#since;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
