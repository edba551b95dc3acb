/** Unacknowledged deltas and bytes, compared with the window of the peer. */
import type { Window } from '../message.ts';

/** Counts deltas and their bytes. Closed until the peer grants a window. */
export class FlowWindow {
  #granted: Window = { deltas: 0, bytes: 0 };
  readonly #sent = new Map<number, number>();
  #bytes = 0;

  grant(window: Window): void {
    this.#granted = window;
  }

  /** Whether another delta may be sent. One is always allowed when none is pending, however small the byte window. */
  get open(): boolean {
    return this.#sent.size < this.#granted.deltas && (this.#sent.size === 0 || this.#bytes < this.#granted.bytes);
  }

  sent(number: number, bytes: number): void {
    this.#sent.set(number, bytes);
    this.#bytes += bytes;
  }

  /** @returns false when the delta was acknowledged before, or never sent */
  answered(number: number): boolean {
    const bytes = this.#sent.get(number);
    if (bytes === undefined) return false;
    this.#sent.delete(number);
    this.#bytes -= bytes;
    return true;
  }
}
