/** One stream of one agent, as the server sees it. */
import type { Buffer } from 'node:buffer';
import { constants } from 'node:http2';
import { setTimeout } from 'node:timers';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Codec } from '../codec/codec.ts';
import { asRelayError, type RelayError } from '../errors.ts';
import type { Heartbeat, Hello, Move } from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';
import type { Caller, Credential } from './identity.ts';
import { brokenOff } from './library-rejection.ts';
import { Pump, type SharedHeartbeats } from './pump.ts';
import { streamOf } from './server-internals.ts';
import { statusOf } from './status.ts';

export type StreamName = 'push' | 'pull' | 'invoke';

/** Nothing has to be proved where both ends are one program. */
export interface InProcess {
  readonly kind: 'in-process';
}

/** What the host is told of a stream when it shall provide the machine for it. */
export interface RelaySession {
  /** As its credential proved. */
  readonly cluster: string;
  readonly stream: StreamName;
  /** The agent's first message: term, kinds, capabilities, program. */
  readonly hello: Hello;
  /** Address and port the connection comes from. */
  readonly address: string;
  /** What the agent proved itself by when it opened the stream. */
  readonly credential: Credential | InProcess;
  /** Ends the stream; the agent gets the reason. */
  close(reason: RelayError): void;
  /**
   * Asks the agent to connect anew and leave when the new connection stands; at the latest the host closes the stream `within` milliseconds.
   * @returns false when the agent does not know of that
   */
  move(reason: string, within: number): boolean;
}

/** Milliseconds for the end of a stream to reach a peer; one that does not read is cut off. */
const FAREWELL = 2_000;

type RawCall = ServerDuplexStream<Buffer, Buffer>;

interface SessionParts<In, Out> {
  readonly call: RawCall;
  readonly stream: StreamName;
  readonly caller: Caller;
  readonly hello: Hello;
  readonly incoming: Codec<In>;
  readonly outgoing: Codec<Out | Heartbeat | Move>;
  /** Undefined where another stream of the connection beats for this one. */
  readonly heartbeats: SharedHeartbeats | undefined;
  /** Called once, when the stream is over. */
  ended(reason: RelayError | undefined): void;
}

/** The running stream. Listens for the call's end from its making, and to the agent from `begin` on. */
export class ServerSession<In, Out> implements RelaySession {
  readonly cluster: string;
  readonly stream: StreamName;
  readonly hello: Hello;
  readonly address: string;
  readonly credential: Credential;
  readonly #parts: SessionParts<In, Out>;
  #pump: Pump<In, Out | Move> | undefined;
  #over = false;
  #moved = false;

  constructor(parts: SessionParts<In, Out>) {
    const { call, stream, caller, hello } = parts;
    this.#parts = parts;
    this.cluster = caller.cluster;
    this.credential = caller.credential;
    this.stream = stream;
    this.hello = hello;
    this.address = call.getPeer();
    call.on('cancelled', () => this.#end(brokenOff(call, 'the agent broke the stream off')));
    call.on('end', () => {
      call.end();
      this.#end(undefined);
    });
  }

  get over(): boolean {
    return this.#over;
  }

  /** Gives the stream its machine. The hello was read before: it decided which machine. */
  begin(machine: StreamMachine<In, Out>): void {
    if (this.#over) {
      machine.end();
      return;
    }
    const { call, hello, incoming, outgoing, heartbeats } = this.#parts;
    try {
      machine.receive(hello as In);
    } catch (thrown) {
      machine.end(asRelayError(thrown));
      throw thrown;
    }
    const fail = (error: RelayError): void => this.close(error);
    this.#pump = new Pump({ stream: call, machine, incoming, outgoing, heartbeats, opened: true, fail });
  }

  move(reason: string, within: number): boolean {
    const pump = this.#pump;
    if (this.#over || pump === undefined || !this.hello.capabilities.includes('move')) return false;
    if (!this.#moved) pump.say({ type: 'move', reason, within });
    this.#moved = true;
    return true;
  }

  /** The status goes behind what was written, so that a peer which does not read would never see it, and the stream never end. */
  close(reason: RelayError): void {
    if (this.#over) return;
    const { call } = this.#parts;
    call.emit('error', statusOf(reason));
    const raw = streamOf(call);
    if (raw !== undefined && !raw.closed) setTimeout(() => raw.close(constants.NGHTTP2_CANCEL), FAREWELL).unref();
    this.#end(reason);
  }

  #end(reason: RelayError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#pump?.stop(reason);
    this.#parts.ended(reason);
  }
}
