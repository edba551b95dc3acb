/** How often something happened lately, for each address that it came from. */
import { addressBlock } from './address-block.ts';

/** Counts in windows that follow each other; the clock is handed in. Of an address that was quiet for a window nothing is left. */
export class AddressRate {
  readonly #window: number;
  readonly #counts = new Map<string, number>();
  #began = Number.NEGATIVE_INFINITY;

  constructor(window: number) {
    this.#window = window;
  }

  /** @returns how often it has happened in this window, with this once */
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
