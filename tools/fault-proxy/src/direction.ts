/** One direction of a proxied connection: writes to one side the bytes read from the other, subject to the fault. */
import type { Socket } from 'node:net';

/** Faults of one direction. An omitted field means no such fault. */
export interface DirectionFaults {
  /** Delay of each byte, in milliseconds. */
  readonly latency?: number;
  /** Bytes per second. */
  readonly bandwidth?: number;
  /**
   * No bytes pass, and neither end learns of it, not even that the other end has closed. The held bytes arrive when
   * this fault ends, as TCP retransmits.
   */
  readonly silent?: boolean;
  /** Bytes after which the connection is reset, counted from the start of the connection. */
  readonly resetAfter?: number;
  /** Delay of the end of the stream, in milliseconds. */
  readonly slowClose?: number;
}

/** Bytes buffered in the proxy before it stops reading. */
const MAX_WAITING = 64 * 1024;

interface Waiting {
  readonly chunk: Uint8Array | 'end';
  readonly due: number;
}

/** Pumps bytes from `source` to `sink` until either closes. */
export class Direction {
  readonly #source: Socket;
  readonly #sink: Socket;
  readonly #faults: () => DirectionFaults;
  readonly #reset: () => void;
  readonly #queue: Waiting[] = [];
  #waiting = 0;
  #passed = 0;
  /** Time at which the line is free again, given the bandwidth. */
  #free = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(source: Socket, sink: Socket, faults: () => DirectionFaults, reset: () => void) {
    this.#source = source;
    this.#sink = sink;
    this.#faults = faults;
    this.#reset = reset;
    source.on('data', (chunk) => this.#take(chunk));
    source.on('end', () => this.#take('end'));
    sink.on('drain', () => this.check());
  }

  /** Number of bytes passed. */
  get passed(): number {
    return this.#passed;
  }

  /** Checks which bytes may pass now. Also called when the fault has changed. */
  check(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    while (!this.#faults().silent && !this.#sink.writableNeedDrain) {
      const [next] = this.#queue;
      if (next === undefined) break;
      const at = Math.max(next.due, this.#free);
      if (at > now) {
        this.#timer = setTimeout(() => this.check(), at - now);
        break;
      }
      this.#queue.shift();
      if (next.chunk === 'end') this.#sink.end();
      else if (!this.#pass(next.chunk, now)) return;
    }
    if (this.#waiting < MAX_WAITING && !this.#faults().silent) this.#source.resume();
    else this.#source.pause();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#queue.length = 0;
  }

  #take(chunk: Uint8Array | 'end'): void {
    const { latency = 0, slowClose = 0 } = this.#faults();
    const late = chunk === 'end' ? latency + slowClose : latency;
    this.#queue.push({ chunk, due: performance.now() + late });
    if (chunk !== 'end') this.#waiting += chunk.length;
    this.check();
  }

  /** Returns false if the connection is reset. */
  #pass(chunk: Uint8Array, now: number): boolean {
    const { bandwidth, resetAfter } = this.#faults();
    this.#waiting -= chunk.length;
    const left = resetAfter === undefined ? chunk.length : Math.max(0, resetAfter - this.#passed);
    this.#passed += chunk.length;
    if (bandwidth !== undefined) this.#free = Math.max(this.#free, now) + (chunk.length / bandwidth) * 1000;
    if (left >= chunk.length) {
      this.#sink.write(chunk);
      return true;
    }
    if (left > 0) this.#sink.write(chunk.subarray(0, left));
    this.#reset();
    return false;
  }
}
