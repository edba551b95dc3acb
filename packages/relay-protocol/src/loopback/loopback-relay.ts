/** The relay within one process, for clusters that a server reaches itself. Both ends use the same state machines. */
import { setTimeout as pause } from 'node:timers/promises';
import { asRelayError, RelayError } from '../errors.ts';
import { type Backoff, backoffDelay, DEFAULT_BACKOFF } from '../grpc/backoff.ts';
import { DEFAULT_HEARTBEATS } from '../grpc/pump.ts';
import type { RelayClientOptions } from '../grpc/relay-client.ts';
import type { RelayServerOptions } from '../grpc/relay-server.ts';
import type { RelaySession, StreamName } from '../grpc/relay-session.ts';
import { SessionRegistry } from '../grpc/session-registry.ts';
import type { Hello, RelayMessage } from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';
import { MachineLink } from './machine-link.ts';

/** The address of sessions in this process. */
export const IN_PROCESS = 'in-process';

export interface LoopbackRelayOptions extends Pick<RelayServerOptions, 'onPush' | 'onPull'> {
  /** Milliseconds between two heartbeats. */
  readonly heartbeat?: number;
  readonly backoff?: Backoff;
  /** From 0 to below 1; Math.random unless given. */
  readonly random?: () => number;
}

/** The streams of one cluster, as in an agent. */
export type LoopbackStreams = Pick<RelayClientOptions, 'push' | 'pull' | 'signal' | 'onState'>;

export class LoopbackRelay {
  readonly #options: LoopbackRelayOptions;
  readonly #sessions = new SessionRegistry<RelaySession>();

  constructor(options: LoopbackRelayOptions) {
    this.#options = options;
  }

  /** The open streams. */
  sessions(): RelaySession[] {
    return this.#sessions.all();
  }

  /** Keeps both streams of a cluster open until their signal aborts. Never rejects. */
  async runTransport(cluster: string, { push, pull, signal, onState }: LoopbackStreams): Promise<void> {
    const { onPush, onPull, backoff = DEFAULT_BACKOFF, random = Math.random } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      onState?.({ state: 'connecting' });
      const streams = [
        this.#open(cluster, 'push', push(NO_HOOKS), onPush),
        this.#open(cluster, 'pull', pull(NO_HOOKS), onPull),
      ];
      const stop = (): void => {
        for (const { close } of streams) close();
      };
      signal.addEventListener('abort', stop, { once: true });
      void Promise.all(streams.map(({ opened }) => opened)).then((all) => {
        if (!all.every(Boolean)) return;
        attempt = 0;
        onState?.({ state: 'connected' });
      });
      const error = await Promise.race(streams.map(({ closed }) => closed));
      stop();
      signal.removeEventListener('abort', stop);
      if (signal.aborted) return;
      const delay = backoffDelay(backoff, attempt, random());
      onState?.({ state: 'waiting', error, delay });
      await pause(delay, undefined, { signal }).catch(() => undefined);
    }
  }

  #open<Up extends RelayMessage, Down extends RelayMessage>(
    cluster: string,
    stream: StreamName,
    agent: StreamMachine<Down, Up>,
    provide: (session: RelaySession) => StreamMachine<Up, Down> | Promise<StreamMachine<Up, Down>>,
  ): OpenStream {
    const closed = Promise.withResolvers<RelayError | undefined>();
    let link: MachineLink<Up, Down> | undefined;
    let over = false;
    const close = (reason?: RelayError): void => {
      if (over) return;
      over = true;
      this.#sessions.delete(session);
      if (link === undefined) agent.end(reason);
      else link.close(reason);
      closed.resolve(reason);
    };
    const session: RelaySession = {
      cluster,
      stream,
      hello: helloOf(agent),
      address: IN_PROCESS,
      credential: { kind: 'in-process' },
      close,
      move: () => false,
    };
    const begin = async (): Promise<boolean> => {
      this.#sessions.add(session);
      const server = await provide(session);
      if (over) {
        server.end();
        return false;
      }
      const { heartbeat = DEFAULT_HEARTBEATS.every } = this.#options;
      server.receive(session.hello as Up);
      link = new MachineLink({ agent, server, heartbeat, ended: close });
      return true;
    };
    const opened = begin().catch((thrown: unknown) => {
      close(asRelayError(thrown));
      return false;
    });
    return { opened, closed: closed.promise, close };
  }
}

interface OpenStream {
  readonly opened: Promise<boolean>;
  readonly closed: Promise<RelayError | undefined>;
  readonly close: () => void;
}

/** Moving is impossible here: only one server and connection exist. */
const NO_HOOKS = { onMove: () => undefined, onWelcome: () => undefined };

/** @throws RelayError when the first message of the machine is not a hello */
function helloOf(agent: StreamMachine<never, unknown>): Hello {
  const first = agent.next() as Hello | undefined;
  if (first?.type === 'hello') return first;
  throw new RelayError('RELAY_E_PROTOCOL', `a stream begins with hello, not with ${first?.type ?? 'nothing'}`);
}
