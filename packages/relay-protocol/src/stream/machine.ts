/** The common interface of all stream ends: a state machine that a driver runs. */
import type { RelayError } from '../errors.ts';
import type { KindLag } from '../message.ts';

/**
 * One end of one stream, without transport, clock or timers. The driver passes received messages in and takes messages
 * out while the transport has room. Nothing piles up except what the machine coalesces, and reading never waits for
 * writing.
 */
export interface StreamMachine<In, Out> {
  /** Takes a message. @throws RelayError, which ends the stream; its message is sent to the peer */
  receive(message: In): void;
  /** The next message to send; undefined if nothing is pending or the peer's window is full. */
  next(): Out | undefined;
  /** The highest acknowledged delta number, for heartbeats and gauges. */
  readonly answered: number;
  /** For a sender whose peer requests it: the kinds in which the peer is behind. */
  lags?(): readonly KindLag[];
  /** Registers the callbacks for new messages and for errors of the machine. At most one driver. */
  drive(driver: MachineDriver): void;
  /** The stream has ended for any reason. Idempotent; the machine releases everything and ignores later calls. */
  end(reason?: RelayError): void;
}

export interface MachineDriver {
  /** `next` may return something. May be called at any time, also from within `receive` and `next`. */
  ready(): void;
  /** The machine cannot continue: close the stream with this error. */
  fail(error: RelayError): void;
}

/** Holds the driver, once there is one. */
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

  /** @returns false when it had already ended */
  end(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.#driver = undefined;
    return true;
  }
}
