/** One end of a call, with what it sends and receives, and how it ends. Both ends use this class. */
import type { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import type { Metadata, StatusObject } from '@grpc/grpc-js';
import type { Channel } from '../../network/network.ts';

/** Bytes in flight above which a writer must wait. */
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

  /** Carries what this end sends; undefined before the connection is open. */
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

  /** Accepts an arrived message. */
  hear(act: () => void): void {
    this.#heard.push(act);
    this.#flow();
  }

  /** The buffer has space again; called in the writer's own process. */
  protected abstract drained(): void;

  #flow(): void {
    while (this.#flowing && this.#heard.length > 0 && this.listenerCount('data') > 0) this.#heard.shift()?.();
  }
}

/** The status of a broken connection. */
export function broken(details: string, metadata: Metadata): StatusObject {
  return { code: 14, details, metadata };
}
