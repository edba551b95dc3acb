/** One direction of a proxied connection: what is read on one side is written on the other, as well as the fault allows. */
import type { Socket } from 'node:net';

/** What is wrong with one direction. Nothing that is left out. */
export interface Trouble {
  /** Milliseconds each byte is late. */
  readonly latency?: number;
  /** Bytes a second. */
  readonly bandwidth?: number;
  /** Nothing passes, and nobody is told, not even that the other end has closed; what was sent arrives when this ends, as TCP sends again. */
  readonly silent?: boolean;
  /** Bytes after which the connection is reset. They count from the beginning of the connection. */
  readonly resetAfter?: number;
  /** Milliseconds by which the end of the stream is late. */
  readonly slowClose?: number;
}

/** Bytes that wait in the proxy before it stops reading. */
const MAX_WAITING = 64 * 1024;

interface Waiting {
  readonly chunk: Uint8Array | 'end';
  readonly due: number;
}

/** Pumps from `source` to `sink` until either is gone. */
export class Direction {
  readonly #source: Socket;
  readonly #sink: Socket;
  readonly #trouble: () => Trouble;
  readonly #reset: () => void;
  readonly #queue: Waiting[] = [];
  #waiting = 0;
  #passed = 0;
  /** When the line is free again, at the bandwidth. */
  #free = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(source: Socket, sink: Socket, trouble: () => Trouble, reset: () => void) {
    this.#source = source;
    this.#sink = sink;
    this.#trouble = trouble;
    this.#reset = reset;
    source.on('data', (chunk) => this.#take(chunk));
    source.on('end', () => this.#take('end'));
    sink.on('drain', () => this.check());
  }

  /** Bytes that have passed. */
  get passed(): number {
    return this.#passed;
  }

  /** Sees what may pass now: also to be called when the trouble has changed. */
  check(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    while (!this.#trouble().silent && !this.#sink.writableNeedDrain) {
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
    if (this.#waiting < MAX_WAITING && !this.#trouble().silent) this.#source.resume();
    else this.#source.pause();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#queue.length = 0;
  }

  #take(chunk: Uint8Array | 'end'): void {
    const { latency = 0, slowClose = 0 } = this.#trouble();
    const late = chunk === 'end' ? latency + slowClose : latency;
    this.#queue.push({ chunk, due: performance.now() + late });
    if (chunk !== 'end') this.#waiting += chunk.length;
    this.check();
  }

  /** False where the connection is reset. */
  #pass(chunk: Uint8Array, now: number): boolean {
    const { bandwidth, resetAfter } = this.#trouble();
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
