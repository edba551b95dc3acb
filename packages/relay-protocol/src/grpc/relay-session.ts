/** One stream of one agent, as the server sees it. */
import type { Buffer } from 'node:buffer';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Codec } from '../codec/codec.ts';
import { RelayError } from '../errors.ts';
import type { Heartbeat, Hello } from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';
import type { Caller } from './identity.ts';
import { type Heartbeats, Pump } from './pump.ts';
import { statusOf } from './status.ts';

export type StreamName = 'push' | 'pull';

/** What the host is told of a stream when it shall provide the machine for it. */
export interface RelaySession {
  /** From the verified certificate. */
  readonly cluster: string;
  readonly stream: StreamName;
  /** The agent's first message: term, kinds, capabilities, program. */
  readonly hello: Hello;
  /** Address and port the connection comes from. */
  readonly address: string;
  readonly certificatePem: string;
  /** Ends the stream; the agent gets the reason. */
  close(reason: RelayError): void;
}

type RawCall = ServerDuplexStream<Buffer, Buffer>;

interface SessionParts<In, Out> {
  readonly call: RawCall;
  readonly stream: StreamName;
  readonly caller: Caller;
  readonly hello: Hello;
  readonly incoming: Codec<In>;
  readonly outgoing: Codec<Out | Heartbeat>;
  readonly heartbeats: Heartbeats;
  /** Called once, when the stream is over. */
  ended(reason: RelayError | undefined): void;
}

/** The running stream. Listens for the call's end from its making, and to the agent from `begin` on. */
export class ServerSession<In, Out> implements RelaySession {
  readonly cluster: string;
  readonly stream: StreamName;
  readonly hello: Hello;
  readonly address: string;
  readonly certificatePem: string;
  readonly #parts: SessionParts<In, Out>;
  #pump: Pump<In, Out> | undefined;
  #over = false;

  constructor(parts: SessionParts<In, Out>) {
    const { call, stream, caller, hello } = parts;
    this.#parts = parts;
    this.cluster = caller.cluster;
    this.certificatePem = caller.certificatePem;
    this.stream = stream;
    this.hello = hello;
    this.address = call.getPeer();
    call.on('cancelled', () => this.#end(new RelayError('RELAY_E_UNAVAILABLE', 'the agent broke the stream off')));
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
    machine.receive(hello as In);
    const fail = (error: RelayError): void => this.close(error);
    this.#pump = new Pump({ stream: call, machine, incoming, outgoing, heartbeats, opened: true, fail });
  }

  close(reason: RelayError): void {
    if (this.#over) return;
    this.#parts.call.emit('error', statusOf(reason));
    this.#end(reason);
  }

  #end(reason: RelayError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#pump?.stop(reason);
    this.#parts.ended(reason);
  }
}
