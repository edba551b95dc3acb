/** One end of a call: what it sends, what it hears, and how it ends. Shared by both ends. */
import type { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import type { Metadata, StatusObject } from '@grpc/grpc-js';
import type { Channel } from '../../network/network.ts';

/** Bytes on the way from which on a writer is told to wait. */
const HIGH_WATER = 64 * 1024;

export abstract class CallEnd extends EventEmitter {
  readonly metadata: Metadata;
  #onTheWay = 0;
  #full = false;
  #flowing = false;
  readonly #heard: Array<() => void> = [];

  constructor(metadata: Metadata) {
    super();
    this.metadata = metadata;
  }

  /** Carries what this end says; undefined before there is a connection. */
  protected abstract get channel(): Channel | undefined;

  /** The other end. */
  abstract get peer(): CallEnd | undefined;
  abstract get over(): boolean;

  write(bytes: Buffer): boolean {
    if (this.over) return true;
    const { byteLength } = bytes;
    this.#onTheWay += byteLength;
    this.channel?.send(() => {
      this.peer?.hear(() => this.peer?.emit('data', bytes));
      this.#onTheWay -= byteLength;
      if (this.#full && this.#onTheWay < HIGH_WATER / 2) {
        this.#full = false;
        this.drained();
      }
    });
    if (this.#onTheWay >= HIGH_WATER) this.#full = true;
    return !this.#full;
  }

  override on(event: string, listener: (...given: never[]) => void): this {
    super.on(event, listener as (...given: unknown[]) => void);
    if (event === 'data') this.resume();
    return this;
  }

  resume(): this {
    this.#flowing = true;
    queueMicrotask(() => this.#flow());
    return this;
  }

  pause(): this {
    this.#flowing = false;
    return this;
  }

  /** Takes something that arrived. */
  hear(act: () => void): void {
    this.#heard.push(act);
    this.#flow();
  }

  /** There is room again: to be told in the writer's own process. */
  protected abstract drained(): void;

  #flow(): void {
    while (this.#flowing && this.#heard.length > 0 && this.listenerCount('data') > 0) this.#heard.shift()?.();
  }
}

/** The status of a connection that broke. */
export function broken(details: string, metadata: Metadata): StatusObject {
  return { code: 14, details, metadata };
}
