/** What all four ends of the two streams have in common: a state machine that something else drives. */
import type { RelayError } from '../errors.ts';
import type { KindLag } from '../message.ts';

/**
 * One end of one stream, without transport, clock or timers. Whoever drives it hands in what was received, and takes out what
 * is to be sent as long as the transport has room; so nothing piles up but what the machine coalesces, and reading never waits for writing.
 */
export interface StreamMachine<In, Out> {
  /** Takes a message. @throws RelayError which ends the stream; its message goes to the peer. */
  receive(message: In): void;
  /** The next message to send, or undefined while there is none or the peer's window is full. */
  next(): Out | undefined;
  /** The highest number of a delta that was answered, for heartbeats and gauges. */
  readonly answered: number;
  /** Of a sender whose peer wants to know: the kinds in which the peer is behind. */
  lags?(): readonly KindLag[];
  /** Registers what to call when `next` may have something again, or when the machine fails by itself. At most one driver. */
  drive(driver: MachineDriver): void;
  /** The stream is over, for whatever reason. Idempotent; the machine gives up all it holds and ignores what comes later. */
  end(reason?: RelayError): void;
}

export interface MachineDriver {
  /** `next` may have something. May be called at any time, also from within `receive` and `next`. */
  ready(): void;
  /** The machine cannot go on: close the stream with this. */
  fail(error: RelayError): void;
}

/** A driver and whether there is one yet, for machines to call. */
export class DriverSlot implements MachineDriver {
  #driver: MachineDriver | undefined;
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  set(driver: MachineDriver): void {
    this.#driver = driver;
  }

  ready(): void {
    if (!this.#ended) this.#driver?.ready();
  }

  fail(error: RelayError): void {
    if (!this.#ended) this.#driver?.fail(error);
  }

  /** @returns false when it had ended before. */
  end(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.#driver = undefined;
    return true;
  }
}
