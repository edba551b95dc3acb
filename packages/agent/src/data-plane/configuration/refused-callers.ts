/** Logs callers with rejected tokens. Envoys retry every few seconds, so one line per minute covers all of them. */
import type { Clock } from '@meshrelay/concurrency';
import type { Logger } from '@meshrelay/telemetry';

const PAUSE_MS = 60_000;
const MAX_ADDRESSES = 10;

export class RefusedCallers {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger: Logger;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #count = 0;
  readonly #addresses = new Set<string>();

  constructor(clock: Pick<Clock, 'now'>, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Adds a rejected call from `address:port`. */
  add(peer: string): void {
    this.#count += 1;
    if (this.#addresses.size < MAX_ADDRESSES) this.#addresses.add(peer.replace(/:\d+$/, ''));
    const now = this.#clock.now();
    if (now - this.#reportedAt < PAUSE_MS) return;
    this.#logger.warn('Envoys send tokens that are not accepted, and keep their configuration', {
      calls: this.#count,
      addresses: [...this.#addresses],
      next: 'check that each pod mounts a projected ServiceAccount token for the audience dataPlane.audience, and that its Envoy reloads the file',
    });
    this.#reportedAt = now;
    this.#count = 0;
    this.#addresses.clear();
  }
}
