/** Looks at a machine after each message it took. */
import type { StreamMachine } from '@meshrelay/relay-protocol';

/** The same machine, with `look` called after each message. */
export function afterEach<In, Out>(machine: StreamMachine<In, Out>, look: () => void): StreamMachine<In, Out> {
  return {
    get answered() {
      return machine.answered;
    },
    receive: (message) => {
      machine.receive(message);
      look();
    },
    next: () => machine.next(),
    lags: () => machine.lags?.() ?? [],
    drive: (driver) => machine.drive(driver),
    end: (reason) => machine.end(reason),
  };
}
