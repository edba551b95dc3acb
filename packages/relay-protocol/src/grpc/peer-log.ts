/**
 * Log lines that any client can cause, limited per address and window: a flood neither fills the log nor hides lines
 * about other addresses.
 */
import type { Logger } from '../logger.ts';
import { addressBlock } from './address-block.ts';
import { AddressRate } from './address-rate.ts';

export interface PeerLogOptions {
  readonly logger: Logger;
  /** Milliseconds. */
  readonly window: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Lines of one address within one window. */
const LINES = 20;

export class PeerLog {
  readonly #options: PeerLogOptions;
  readonly #rate: AddressRate;

  constructor(options: PeerLogOptions) {
    this.#options = options;
    this.#rate = new AddressRate(options.window);
  }

  /** @param peer address and port */
  warn(peer: string, fields: Readonly<Record<string, unknown>>, message: string): void {
    const { logger, window, now } = this.#options;
    const count = this.#rate.count(peer, now());
    if (count <= LINES) logger.warn({ peer, ...fields }, message);
    else if (count === LINES + 1)
      logger.warn(
        { address: addressBlock(peer), lines: LINES, seconds: window / 1000 },
        'this address has reached its limit of log lines; metrics count the others',
      );
  }
}
