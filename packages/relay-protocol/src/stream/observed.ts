/** A machine with somebody who looks on: told of what passes, changing nothing. */
import type { RelayError } from '../errors.ts';
import type { KindLag } from '../message.ts';
import type { StreamMachine } from './machine.ts';

/** What is told. Whatever one of them throws is the machine's own failure. */
export interface MachineObserver<In, Out> {
  /** A message came, and the machine has not taken it yet. */
  receiving?(message: In): void;
  /** The machine has taken a message. */
  received?(message: In): void;
  /** A message goes out. */
  sending?(message: Out): void;
  /** How far the peer is behind, as often as that is asked. */
  lagging?(lags: readonly KindLag[]): void;
  /** The stream is over; the machine does not know it yet. */
  ending?(reason: RelayError | undefined): void;
}

/** The same machine, observed. */
export function observed<In, Out>(
  machine: StreamMachine<In, Out>,
  observer: MachineObserver<In, Out>,
): StreamMachine<In, Out> {
  return {
    get answered() {
      return machine.answered;
    },
    receive(message) {
      observer.receiving?.(message);
      machine.receive(message);
      observer.received?.(message);
    },
    next() {
      const message = machine.next();
      if (message !== undefined) observer.sending?.(message);
      return message;
    },
    lags() {
      const lags = machine.lags?.() ?? [];
      observer.lagging?.(lags);
      return lags;
    },
    drive: (driver) => machine.drive(driver),
    end(reason) {
      observer.ending?.(reason);
      machine.end(reason);
    },
  };
}
