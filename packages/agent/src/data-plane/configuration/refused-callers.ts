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
    this.#logger.warn('Envoys show tokens that are not accepted, and keep the configuration they have', {
      calls: this.#count,
      addresses: [...this.#addresses],
      next: 'see that each pod mounts a projected ServiceAccount token for the audience of dataPlane.audience, and that its Envoy reads the file again when it is renewed',
    });
    this.#reportedAt = now;
    this.#count = 0;
    this.#addresses.clear();
  }
}
