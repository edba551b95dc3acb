/** Joins both ends of a stream within one process: passes messages as objects, in turns of the event loop. */
import { clearImmediate, clearInterval, setImmediate, setInterval } from 'node:timers';
import { asRelayError, type RelayError } from '../errors.ts';
import type { Heartbeat, RelayMessage } from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';

/** Messages per turn, so that other work in the process does not wait long. */
const TURN = 64;

export interface MachineLinkOptions<Up extends RelayMessage, Down extends RelayMessage> {
  readonly agent: StreamMachine<Down, Up>;
  readonly server: StreamMachine<Up, Down>;
  /** Milliseconds between two heartbeats. */
  readonly heartbeat: number;
  /** Called once, at the end of the stream. */
  ended(reason: RelayError | undefined): void;
}

/** Runs from construction until it is closed, or one of the machines fails. */
export class MachineLink<Up extends RelayMessage, Down extends RelayMessage> {
  readonly #options: MachineLinkOptions<Up, Down>;
  readonly #timer: NodeJS.Timeout;
  #turn: NodeJS.Immediate | undefined;
  #over = false;

  constructor(options: MachineLinkOptions<Up, Down>) {
    this.#options = options;
    const { agent, server, heartbeat } = options;
    const driver = { ready: () => this.#schedule(), fail: (error: RelayError) => this.close(error) };
    agent.drive(driver);
    server.drive(driver);
    this.#timer = setInterval(() => this.#beat(), heartbeat).unref();
    this.#schedule();
  }

  /** Ends both machines. Idempotent. */
  close(reason?: RelayError): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#timer);
    if (this.#turn !== undefined) clearImmediate(this.#turn);
    const { agent, server, ended } = this.#options;
    agent.end(reason);
    server.end(reason);
    ended(reason);
  }

  #schedule(): void {
    if (this.#over || this.#turn !== undefined) return;
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#guarded(() => this.#pass());
    });
  }

  #pass(): void {
    const { agent, server } = this.#options;
    for (let passed = 0; passed < TURN && !this.#over; passed += 1) {
      const up = agent.next();
      if (up !== undefined) server.receive(up);
      const down = this.#over ? undefined : server.next();
      if (down !== undefined) agent.receive(down);
      if (up === undefined && down === undefined) return;
    }
    this.#schedule();
  }

  #beat(): void {
    const { agent, server } = this.#options;
    this.#guarded(() => {
      server.receive(heartbeatOf(agent) as Up);
      if (!this.#over) agent.receive(heartbeatOf(server) as Down);
    });
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.close(asRelayError(thrown));
    }
  }
}

function heartbeatOf(machine: Pick<StreamMachine<never, never>, 'answered' | 'lags'>): Heartbeat {
  return { type: 'heartbeat', answered: machine.answered, lags: machine.lags?.() ?? [] };
}
