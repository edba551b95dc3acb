/** Recent event counts per source address. */
import { addressBlock } from './address-block.ts';

/** Counts in consecutive windows; the caller passes the clock. An address without events in a window is dropped. */
export class AddressRate {
  readonly #window: number;
  readonly #counts = new Map<string, number>();
  #began = Number.NEGATIVE_INFINITY;

  constructor(window: number) {
    this.#window = window;
  }

  /** @returns the count in this window, including this event */
  count(peer: string, now: number): number {
    if (now - this.#began >= this.#window) {
      this.#began = now;
      this.#counts.clear();
    }
    const block = addressBlock(peer);
    const count = (this.#counts.get(block) ?? 0) + 1;
    this.#counts.set(block, count);
    return count;
  }

  /** Milliseconds until the next window. */
  left(now: number): number {
    return Math.max(0, this.#began + this.#window - now);
  }
}
