/** Asks agents that have fallen silent whether they are there. */
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import type { Keepalive } from './channel-options.ts';

/** What is used of a session. */
export interface Requested {
  readonly destroyed: boolean;
  ping(answered: (error: Error | null) => void): boolean;
  destroy(): void;
}

/**
 * Agents ping, so that a connection on which nothing comes is dead, or nearly so, and only such a one is asked. grpc-js would ask all of them all the time: a wake-up of the process for the
 * ping, one for its answer, and nothing learnt. Where bytes are not counted, every connection seems silent, and is asked.
 */
export class Presence {
  readonly #session: Requested;
  readonly #keepalive: Keepalive;
  readonly #now: () => number;
  #before: number;
  #since: number;
  #late: NodeJS.Timeout | undefined;

  /** @param bytes that came so far */
  constructor(session: Requested, bytes: number, keepalive: Keepalive, now: () => number = () => performance.now()) {
    this.#session = session;
    this.#keepalive = keepalive;
    this.#now = now;
    this.#before = bytes;
    this.#since = now();
  }

  /** @param bytes that came so far */
  check(bytes: number): void {
    if (bytes > this.#before) {
      this.#before = bytes;
      this.#since = this.#now();
    } else if (this.#late === undefined && this.#now() - this.#since >= this.#keepalive.every) this.#ask();
  }

  /** The connection is over. */
  end(): void {
    clearTimeout(this.#late);
  }

  #ask(): void {
    if (this.#session.destroyed) return;
    // A process that was held up first reads what has arrived meanwhile.
    const late = (): void => void setImmediate(() => this.#late !== undefined && this.#session.destroy());
    this.#late = setTimeout(late, this.#keepalive.timeoutMs).unref();
    if (!this.#ping()) this.#session.destroy();
  }

  /** @returns whether it could be sent. */
  #ping(): boolean {
    try {
      return this.#session.ping((error) => this.#answered(error));
    } catch {
      // A session that is ending may refuse.
      return false;
    }
  }

  #answered(error: Error | null): void {
    clearTimeout(this.#late);
    this.#late = undefined;
    this.#since = this.#now();
    if (error !== null && !this.#session.destroyed) this.#session.destroy();
  }
}
