/** Tells a flood of pings from an agent's, without a word of JavaScript for each of these. */
import type { EventEmitter } from 'node:events';
import { EventRate } from './event-rate.ts';

/** A ping, as HTTP/2 writes it: 9 bytes of frame, 8 of content. Encryption only adds to that. */
const PING_BYTES = 17;
/** Looks in a row that must find little before pings are counted no more: whoever floods now and then is still counted the next time. */
const QUIET_LOOKS = 3;

export interface PingWatchOptions {
  /** Emits `ping` for each, at a price, while somebody listens. */
  readonly session: Pick<EventEmitter, 'on' | 'off'>;
  /** Bytes that came so far. */
  readonly bytes: number;
  /** Pings within `window` milliseconds that are too many. */
  readonly pings: number;
  readonly window: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** There were too many. */
  readonly flooded: () => void;
}

/**
 * Counts pings from the beginning on, until the connection has been quiet for a while and its bytes have proved to count pings as well; and again from the look on that
 * finds so many bytes that they could be a flood. `look` is to be called once in each window.
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

  /** Whether each ping is counted now. */
  get counts(): boolean {
    return this.#counts;
  }

  /** @param bytes that came so far. What cannot be known, or does not count pings, may be anything: pings are counted one by one then. */
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
    // Where no ping came nothing is proved.
    else if (pings > 0) this.#quiet += 1;
    if (this.#quiet < QUIET_LOOKS) return;
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
