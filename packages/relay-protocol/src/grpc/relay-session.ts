/** One stream of one agent, on the server's side. */
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

/** No credential is needed when both ends are in one program. */
export interface InProcess {
  readonly kind: 'in-process';
}

/** Facts about a stream for which the host must create the machine. */
export interface RelaySession {
  /** Proved by its credential. */
  readonly cluster: string;
  readonly stream: StreamName;
  /** The agent's first message: term, kinds, capabilities, program. */
  readonly hello: Hello;
  /** Address and port of the connection. */
  readonly address: string;
  /** The credential that the agent used to open the stream. */
  readonly credential: Credential | InProcess;
  /** Ends the stream and sends the reason to the agent. */
  close(reason: RelayError): void;
  /**
   * Asks the agent to reconnect and to leave when the new connection is open. The host closes the stream after at most
   * `within` milliseconds.
   * @returns false when the agent lacks this capability
   */
  move(reason: string, within: number): boolean;
}

/** Milliseconds for the end of a stream to reach a peer; a peer that does not read is disconnected. */
const FAREWELL = 2_000;

type RawCall = ServerDuplexStream<Buffer, Buffer>;

interface SessionParts<In, Out> {
  readonly call: RawCall;
  readonly stream: StreamName;
  readonly caller: Caller;
  readonly hello: Hello;
  readonly incoming: Codec<In>;
  readonly outgoing: Codec<Out | Heartbeat | Move>;
  /** Undefined when another stream of the connection sends heartbeats for this one. */
  readonly heartbeats: SharedHeartbeats | undefined;
  /** Called once, at the end of the stream. */
  ended(reason: RelayError | undefined): void;
}

/** The running stream. Listens for the call's end from construction, and to the agent from `begin` on. */
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
    call.on('cancelled', () => this.#end(brokenOff(call, 'the agent cancelled the stream')));
    call.on('end', () => {
      call.end();
      this.#end(undefined);
    });
  }

  get over(): boolean {
    return this.#over;
  }

  /** Sets the machine of the stream. The hello, which decided the machine, was already read. */
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

  /**
   * The status queues after written messages: a peer that does not read would never receive it, and the stream would
   * never end.
   */
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
