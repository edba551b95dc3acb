/** Drives one state machine over one gRPC stream: backpressure, heartbeats, ending. */
import type { Buffer } from 'node:buffer';
import { clearImmediate, setImmediate } from 'node:timers';
import type { Codec } from '../codec/codec.ts';
import { asRelayError, RelayError } from '../errors.ts';
import type { Heartbeat } from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';
import { SharedInterval } from './rounds.ts';

/** The part of grpc-js' streams, of either end, that is used. */
export interface RawStream {
  write(bytes: Buffer): boolean;
  on(event: 'data', listener: (bytes: Buffer) => void): unknown;
  on(event: 'drain', listener: () => void): unknown;
  resume(): unknown;
}

/** In milliseconds. */
export interface Heartbeats {
  /** Looks this often how far the peer is behind, and says so while it is. */
  readonly every: number;
  /** Says something at least this often, rounded up to the next look. */
  readonly idleTimeoutMs: number;
  /** Give up when the peer has not spoken at all for this long: nothing pings before there is a connection. */
  readonly openWithin: number;
  /** Give up when nothing was heard for this long since. */
  readonly staleAfter: number;
}

/**
 * A connection that is dead is noticed by pings. What heartbeats add is to notice a stream that is stuck while its connection lives, and for that they may be
 * rare: with a thousand agents that do nothing, they would be most of what a server does.
 */
export const DEFAULT_HEARTBEATS: Heartbeats = {
  every: 10_000,
  idleTimeoutMs: 480_000,
  openWithin: 30_000,
  staleAfter: 1_200_000,
};

/** Heartbeats of all streams of one end, looked at together. */
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
  /** Undefined where another stream of the connection beats for this one. */
  readonly heartbeats: SharedHeartbeats | undefined;
  /** Whether the peer has spoken before the pump began. */
  readonly opened: boolean;
  /** Asked to end the stream because of this. Called once at most, and not after `stop`. */
  fail(error: RelayError): void;
}

/** Runs from its making until `stop`. */
export class Pump<In, Out> {
  readonly #options: PumpOptions<In, Out>;
  readonly #leaveRounds: (() => void) | undefined;
  #scheduled: NodeJS.Immediate | undefined;
  /** What the host has to say beside the machine. */
  readonly #notices: Out[] = [];
  #blocked = false;
  #stopped = false;
  #saidAt: number;
  /** Whether the last heartbeat told that the peer is behind. */
  #reportedLags = false;
  #heardAt: number;
  #heardAnything: boolean;

  constructor(options: PumpOptions<In, Out>) {
    this.#options = options;
    this.#heardAt = performance.now();
    this.#saidAt = this.#heardAt;
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

  /** Sends a message of the host's before what the machine has. */
  say(notice: Out): void {
    this.#notices.push(notice);
    this.#schedule();
  }

  /** The stream is over. Idempotent. */
  stop(reason?: RelayError): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#leaveRounds?.();
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#options.machine.end(reason);
  }

  /** Changes of the same turn of the event loop go together. */
  #schedule(): void {
    if (this.#stopped || this.#blocked || this.#scheduled !== undefined) return;
    this.#scheduled = setImmediate(() => {
      this.#scheduled = undefined;
      this.#write();
    });
  }

  /** Writes until there is nothing more or the transport is full; what is not taken out stays coalesced in the machine. */
  #write(): void {
    const { stream, machine, outgoing } = this.#options;
    try {
      while (!this.#stopped && !this.#blocked) {
        const message = this.#notices.shift() ?? machine.next();
        if (message === undefined) return;
        this.#saidAt = performance.now();
        this.#blocked = !stream.write(outgoing.encode(message));
      }
    } catch (thrown) {
      this.#fail(asRelayError(thrown));
    }
  }

  #hear(bytes: Buffer): void {
    if (this.#stopped) return;
    this.#heardAt = performance.now();
    this.#heardAnything = true;
    try {
      this.#options.machine.receive(this.#options.incoming.decode(bytes));
    } catch (thrown) {
      this.#fail(asRelayError(thrown));
    }
  }

  /** What goes wrong with one stream does not keep the others from being looked at. */
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
    const isStale = (): boolean => now - this.#heardAt > timeoutMs;
    if (isStale()) {
      // A process that was held up first reads what has arrived meanwhile.
      setImmediate(() => {
        if (isStale()) this.#fail(new RelayError('RELAY_E_STALE', `nothing was heard for ${timeoutMs} ms`));
      });
      return;
    }
    const lags = machine.lags?.() ?? [];
    // Before the peer has spoken only its opening message may come; a heartbeat would be taken for it.
    if (this.#blocked || !this.#heardAnything) return;
    const isBehind = lags.length > 0;
    // Timers may come a little early, and the next look is far away.
    const isDue = now - this.#saidAt > heartbeats.idleTimeoutMs - heartbeats.every / 2;
    if (!isDue && !isBehind && !this.#reportedLags) return;
    this.#blocked = !stream.write(outgoing.encode({ type: 'heartbeat', answered: machine.answered, lags }));
    this.#reportedLags = isBehind;
    this.#saidAt = now;
  }

  #fail(error: RelayError): void {
    if (!this.#stopped) this.#options.fail(error);
  }
}
