/** The gate of the server: every call of every method passes here, or is refused here with a reason in both logs. */
import type { Buffer } from 'node:buffer';
import type { handleBidiStreamingCall, handleUnaryCall, ServerDuplexStream } from '@grpc/grpc-js';
import { asRelayError, RelayError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { authorize, type Caller, type CallFacts, type Judges } from './identity.ts';
import { statusOf } from './status.ts';

type RawCall = ServerDuplexStream<Buffer, Buffer>;

/** What is known of any call. */
export interface GatedCall extends CallFacts {
  getPeer(): string;
}

/** A certificate request and a token, with room to spare. */
const MAX_UNARY_BYTES = 64 * 1024;

export class CallGate {
  readonly #judges: Judges;
  readonly #logger: Logger;
  readonly #proved: (peer: string) => void;

  /** @param proved told the address of each caller that proved who it is */
  constructor(judges: Judges, logger: Logger, proved: (peer: string) => void = () => undefined) {
    this.#judges = judges;
    this.#logger = logger;
    this.#proved = proved;
  }

  /** A handler that does `work` for callers that may call the method. `caller` is undefined where anyone may. */
  unary(
    method: string,
    work: (bytes: Buffer, call: GatedCall, caller: Caller | undefined) => Promise<Buffer>,
  ): handleUnaryCall<Buffer, Buffer> {
    return (call, callback) => {
      const answer = async (): Promise<Buffer> => {
        const caller = await this.#authorize(method, call);
        if (call.request.byteLength > MAX_UNARY_BYTES) {
          throw new RelayError('RELAY_E_LIMIT', `${method} takes at most ${MAX_UNARY_BYTES} bytes`);
        }
        return work(call.request, call, caller);
      };
      answer().then(
        (bytes) => callback(null, bytes),
        (thrown) => callback(statusOf(this.refuse(method, call, thrown))),
      );
    };
  }

  /** A handler that opens a stream for callers that may. What `open` throws ends the stream. */
  stream(
    method: string,
    open: (call: RawCall, caller: Caller) => Promise<void>,
  ): handleBidiStreamingCall<Buffer, Buffer> {
    return (call) => {
      // Without a listener an error of a stream ends the process; the call's own listener turns it into a status.
      call.on('error', () => undefined);
      const run = async (): Promise<void> => {
        const caller = await this.#authorize(method, call);
        if (caller === undefined)
          throw new RelayError('RELAY_E_INTERNAL', `${method} is a stream that anyone may open`);
        await open(call, caller);
      };
      run().catch((thrown) => call.emit('error', statusOf(this.refuse(method, call, thrown))));
    };
  }

  async #authorize(method: string, call: GatedCall): Promise<Caller | undefined> {
    const caller = await authorize(method, call, this.#judges);
    if (caller !== undefined) this.#proved(call.getPeer());
    return caller;
  }

  /** Logs a refusal. @returns what the caller is told. */
  refuse(method: string, call: GatedCall, thrown: unknown): RelayError {
    const error = asRelayError(thrown);
    const fields = { method, peer: call.getPeer(), code: error.code, reason: error.message };
    if (error.code === 'RELAY_E_INTERNAL')
      this.#logger.error({ ...fields, err: error.cause ?? error }, 'relay call failed');
    else this.#logger.warn(fields, 'relay call refused');
    return error;
  }
}
