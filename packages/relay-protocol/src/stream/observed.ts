/** Wraps a machine with an observer that gets every message and changes nothing. */
import type { RelayError } from '../errors.ts';
import type { KindLag } from '../message.ts';
import type { StreamMachine } from './machine.ts';

/** Callbacks of an observer. An error thrown by one of them fails the machine. */
export interface MachineObserver<In, Out> {
  /** A message arrived; the machine has not processed it yet. */
  receiving?(message: In): void;
  /** The machine processed a message. */
  received?(message: In): void;
  /** A message is sent. */
  sending?(message: Out): void;
  /** Lag of the peer, each time it is read. */
  lagging?(lags: readonly KindLag[]): void;
  /** The stream has ended; the machine does not know it yet. */
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
