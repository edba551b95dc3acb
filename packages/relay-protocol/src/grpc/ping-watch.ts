/** Distinguishes a ping flood from an agent's pings, without running JavaScript for each ping. */
import type { EventEmitter } from 'node:events';
import { EventRate } from './event-rate.ts';

/** A ping in HTTP/2: 9 bytes of frame header, 8 of content. Encryption only adds to it. */
const PING_BYTES = 17;
/** Number of consecutive quiet checks before counting stops; occasional floods are still counted the next time. */
const QUIET_CHECKS = 3;

export interface PingWatchOptions {
  /** Emits `ping` for each ping, at a cost, while there is a listener. */
  readonly session: Pick<EventEmitter, 'on' | 'off'>;
  /** Bytes received so far. */
  readonly bytes: number;
  /** Limit of pings within `window` milliseconds. */
  readonly pings: number;
  readonly window: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The limit is exceeded. */
  readonly flooded: () => void;
}

/**
 * Counts pings from the start, until the connection was quiet for a while and its byte count proved to include pings.
 * Counts again after a check that finds enough bytes for a flood. Call `check` once per window.
 */
export class PingWatch {
  readonly #options: PingWatchOptions;
  readonly #rate: EventRate;
  readonly #ping = (): void => this.#heard();
  #counts = false;
  #pings = 0;
  #bytes: number;
  #quiet = 0;

  constructor(options: PingWatchOptions) {
    this.#options = options;
    this.#rate = new EventRate(options.pings, options.window);
    this.#bytes = options.bytes;
    this.#count();
  }

  /** Whether pings are counted now. */
  get counts(): boolean {
    return this.#counts;
  }

  /** @param bytes received so far. Any value if unknown or without pings: pings are then counted one by one. */
  check(bytes: number): void {
    const came = bytes - this.#bytes;
    this.#bytes = bytes;
    if (this.#counts) this.#mayRest(came);
    else if (!(came < this.#flood)) this.#count();
  }

  get #flood(): number {
    return this.#options.pings * PING_BYTES;
  }

  #mayRest(came: number): void {
    const pings = this.#pings;
    this.#pings = 0;
    if (!(came < this.#flood) || came < pings * PING_BYTES) this.#quiet = 0;
    // A window without pings proves nothing.
    else if (pings > 0) this.#quiet += 1;
    if (this.#quiet < QUIET_CHECKS) return;
    this.#counts = false;
    this.#options.session.off('ping', this.#ping);
  }

  #count(): void {
    this.#counts = true;
    this.#quiet = 0;
    this.#pings = 0;
    this.#options.session.on('ping', this.#ping);
  }

  #heard(): void {
    this.#pings += 1;
    if (this.#rate.exceeds(this.#options.now())) this.#options.flooded();
  }
}
