/** Maximum age of connections. Agents reconnect after it and spread over the current replicas. */
import { clearTimeout, setTimeout } from 'node:timers';

interface Aging {
  streams: number;
  readonly timer: NodeJS.Timeout;
}

export interface ConnectionAgesOptions {
  /**
   * Milliseconds, with a jitter of up to a tenth per connection, so that connections opened together do not end
   * together.
   */
  readonly age: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** A connection reached its age. */
  readonly old: (address: string) => void;
}

/** Counts the streams of each connection; its age starts with the first stream. */
export class ConnectionAges {
  readonly #options: ConnectionAgesOptions;
  readonly #connections = new Map<string, Aging>();

  constructor(options: ConnectionAgesOptions) {
    this.#options = options;
  }

  /** A stream opened. */
  opened(address: string): void {
    const known = this.#connections.get(address);
    if (known !== undefined) {
      known.streams++;
      return;
    }
    const { age, random, old } = this.#options;
    const timer = setTimeout(() => old(address), age * (0.9 + 0.2 * random())).unref();
    this.#connections.set(address, { streams: 1, timer });
  }

  /** A stream ended. */
  closed(address: string): void {
    const known = this.#connections.get(address);
    if (known === undefined) return;
    known.streams--;
    if (known.streams > 0) return;
    clearTimeout(known.timer);
    this.#connections.delete(address);
  }

  end(): void {
    for (const { timer } of this.#connections.values()) clearTimeout(timer);
    this.#connections.clear();
  }
}
