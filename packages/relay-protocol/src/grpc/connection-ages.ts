/** When connections are to be made anew, so that agents spread over the replicas that there are by then. */
import { clearTimeout, setTimeout } from 'node:timers';

interface Aging {
  streams: number;
  readonly timer: NodeJS.Timeout;
}

export interface ConnectionAgesOptions {
  /** Milliseconds; each connection gets up to a tenth more or less, so that those made at one moment do not end at one moment. */
  readonly age: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** A connection is old enough. */
  readonly old: (address: string) => void;
}

/** Counts the streams of each connection; its age begins with the first of them. */
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
