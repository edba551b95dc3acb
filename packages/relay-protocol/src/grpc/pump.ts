/** Drives one state machine over one gRPC stream: backpressure, heartbeats, close. */
import type { Buffer } from 'node:buffer';
import { clearImmediate, setImmediate } from 'node:timers';
import type { Codec } from '../codec/codec.ts';
import { asRelayError, RelayError } from '../errors.ts';
import type { Heartbeat } from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';
import { SharedInterval } from './rounds.ts';

/** The used part of grpc-js' streams, for both ends. */
export interface RawStream {
  write(bytes: Buffer): boolean;
  on(event: 'data', listener: (bytes: Buffer) => void): unknown;
  on(event: 'drain', listener: () => void): unknown;
  resume(): unknown;
}

/** In milliseconds. */
export interface Heartbeats {
  /** Interval at which the lag of the peer is checked, and reported while there is one. */
  readonly every: number;
  /** Sends something at least this often, rounded up to the next check. */
  readonly idleTimeoutMs: number;
  /** Timeout of the peer's first message: pings start only with the connection. */
  readonly openWithin: number;
  /** Timeout since the last message received. */
  readonly staleAfter: number;
}

/**
 * Pings detect a dead connection. Heartbeats detect a stream that is stuck on a live connection. They may be rare: with
 * a thousand idle agents they would be most of a server's work.
 */
export const DEFAULT_HEARTBEATS: Heartbeats = {
  every: 10_000,
  idleTimeoutMs: 480_000,
  openWithin: 30_000,
  staleAfter: 1_200_000,
};

/** Heartbeats of all streams of one end, checked together. */
export interface SharedHeartbeats extends Heartbeats {
  readonly rounds: SharedInterval;
}

export function sharedHeartbeats(heartbeats: Heartbeats = DEFAULT_HEARTBEATS): SharedHeartbeats {
  return { ...heartbeats, rounds: new SharedInterval(heartbeats.every, { holds: true }) };
}

export interface PumpOptions<In, Out> {
  readonly stream: RawStream;
  readonly machine: StreamMachine<In, Out>;
  readonly incoming: Codec<In>;
  readonly outgoing: Codec<Out | Heartbeat>;
  /** Undefined when another stream of the connection sends heartbeats for this one. */
  readonly heartbeats: SharedHeartbeats | undefined;
  /** Whether the peer has sent something before the pump started. */
  readonly opened: boolean;
  /** Asks the owner to end the stream with this error. Called at most once, and not after `stop`. */
  fail(error: RelayError): void;
}

/** Runs from construction until `stop`. */
export class Pump<In, Out> {
  readonly #options: PumpOptions<In, Out>;
  readonly #leaveRounds: (() => void) | undefined;
  #scheduled: NodeJS.Immediate | undefined;
  /** Messages of the host, sent in addition to those of the machine. */
  readonly #notices: Out[] = [];
  #blocked = false;
  #stopped = false;
  #sentAt: number;
  /** Whether the last heartbeat reported that the peer is behind. */
  #reportedLags = false;
  #receivedAt: number;
  #heardAnything: boolean;

  constructor(options: PumpOptions<In, Out>) {
    this.#options = options;
    this.#receivedAt = performance.now();
    this.#sentAt = this.#receivedAt;
    this.#heardAnything = options.opened;
    const { stream, machine, heartbeats } = options;
    if (heartbeats !== undefined) this.#leaveRounds = heartbeats.rounds.join(() => this.#check(heartbeats));
    machine.drive({ ready: () => this.#schedule(), fail: (error) => this.#fail(error) });
    stream.on('data', (bytes) => this.#hear(bytes));
    stream.on('drain', () => {
      this.#blocked = false;
      this.#schedule();
    });
    this.#schedule();
    stream.resume();
  }

  /** Sends a message of the host before those of the machine. */
  say(notice: Out): void {
    this.#notices.push(notice);
    this.#schedule();
  }

  /** The stream has ended. Idempotent. */
  stop(reason?: RelayError): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#leaveRounds?.();
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#options.machine.end(reason);
  }

  /** Changes of one turn of the event loop are sent together. */
  #schedule(): void {
    if (this.#stopped || this.#blocked || this.#scheduled !== undefined) return;
    this.#scheduled = setImmediate(() => {
      this.#scheduled = undefined;
      this.#write();
    });
  }

  /** Writes until the machine has nothing more or the transport is full; the rest stays coalesced in the machine. */
  #write(): void {
    const { stream, machine, outgoing } = this.#options;
    try {
      while (!this.#stopped && !this.#blocked) {
        const message = this.#notices.shift() ?? machine.next();
        if (message === undefined) return;
        this.#sentAt = performance.now();
        this.#blocked = !stream.write(outgoing.encode(message));
      }
    } catch (thrown) {
      this.#fail(asRelayError(thrown));
    }
  }

  #hear(bytes: Buffer): void {
    if (this.#stopped) return;
    this.#receivedAt = performance.now();
    this.#heardAnything = true;
    try {
      this.#options.machine.receive(this.#options.incoming.decode(bytes));
    } catch (thrown) {
      this.#fail(asRelayError(thrown));
    }
  }

  /** An error of one stream does not keep the others from being checked. */
  #check(heartbeats: Heartbeats): void {
    try {
      this.#beat(heartbeats);
    } catch (thrown) {
      this.#fail(asRelayError(thrown));
    }
  }

  #beat(heartbeats: Heartbeats): void {
    const { stream, machine, outgoing } = this.#options;
    const now = performance.now();
    const timeoutMs = this.#heardAnything ? heartbeats.staleAfter : heartbeats.openWithin;
    const isStale = (): boolean => now - this.#receivedAt > timeoutMs;
    if (isStale()) {
      // A process that was blocked first reads the data that arrived meanwhile.
      setImmediate(() => {
        if (isStale()) this.#fail(new RelayError('RELAY_E_TIMEOUT', `no message arrived for ${timeoutMs} ms`));
      });
      return;
    }
    const lags = machine.lags?.() ?? [];
    // Before the peer's first message only the opening message may be sent; the peer would take a heartbeat for it.
    if (this.#blocked || !this.#heardAnything) return;
    const isBehind = lags.length > 0;
    // Timers may fire a little early, and the next check is far away.
    const isDue = now - this.#sentAt > heartbeats.idleTimeoutMs - heartbeats.every / 2;
    if (!isDue && !isBehind && !this.#reportedLags) return;
    this.#blocked = !stream.write(outgoing.encode({ type: 'heartbeat', answered: machine.answered, lags }));
    this.#reportedLags = isBehind;
    this.#sentAt = now;
  }

  #fail(error: RelayError): void {
    if (!this.#stopped) this.#options.fail(error);
  }
}
