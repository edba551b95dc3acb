/** Pings agents whose connection is idle. */
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import type { Keepalive } from './channel-options.ts';

/** The used part of a session. */
export interface Requested {
  readonly destroyed: boolean;
  ping(answered: (error: Error | null) => void): boolean;
  destroy(): void;
}

/**
 * Agents ping, so only an idle connection may be dead. The server pings idle connections only. grpc-js would ping all
 * connections all the time: two wake-ups of the process per ping, without new information. If bytes are not counted,
 * every connection seems idle and is pinged.
 */
export class Presence {
  readonly #session: Requested;
  readonly #keepalive: Keepalive;
  readonly #now: () => number;
  #before: number;
  #since: number;
  #late: NodeJS.Timeout | undefined;

  /** @param bytes received so far */
  constructor(session: Requested, bytes: number, keepalive: Keepalive, now: () => number = () => performance.now()) {
    this.#session = session;
    this.#keepalive = keepalive;
    this.#now = now;
    this.#before = bytes;
    this.#since = now();
  }

  /** @param bytes received so far */
  check(bytes: number): void {
    if (bytes > this.#before) {
      this.#before = bytes;
      this.#since = this.#now();
    } else if (this.#late === undefined && this.#now() - this.#since >= this.#keepalive.every) this.#ask();
  }

  /** The connection is closed. */
  end(): void {
    clearTimeout(this.#late);
  }

  #ask(): void {
    if (this.#session.destroyed) return;
    // A process that was blocked first reads the data that arrived meanwhile.
    const late = (): void => void setImmediate(() => this.#late !== undefined && this.#session.destroy());
    this.#late = setTimeout(late, this.#keepalive.timeoutMs).unref();
    if (!this.#ping()) this.#session.destroy();
  }

  /** @returns whether the ping could be sent */
  #ping(): boolean {
    try {
      return this.#session.ping((error) => this.#answered(error));
    } catch {
      // A closing session may reject the ping.
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
