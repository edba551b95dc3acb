/**
 * The gate of the server: admits every call of every method, or rejects it with a reason in both logs and a counter.
 */
import type { Buffer } from 'node:buffer';
import type { handleBidiStreamingCall, handleUnaryCall, ServerDuplexStream } from '@grpc/grpc-js';
import { asRelayError, blamesPeer, RelayError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { addressBlock } from './address-block.ts';
import { AddressRate } from './address-rate.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { headerBytes } from './header-bytes.ts';
import { type Admits, authorize, type Caller, type CallFacts } from './identity.ts';
import type { CalledMethod } from './library-answers.ts';
import type { PeerLog } from './peer-log.ts';
import type { MethodName } from './service.ts';
import { statusOf } from './status.ts';

type RawCall = ServerDuplexStream<Buffer, Buffer>;

/** Facts about any call. */
export interface GatedCall extends CallFacts {
  getPeer(): string;
}

export interface CallGateOptions {
  readonly admits: Admits;
  readonly logger: Logger;
  /** For rejections, which any client can cause. */
  readonly log: PeerLog;
  readonly limits: Pick<ConnectionLimits, 'anonymousCalls' | 'anonymousWindow' | 'headerBytes'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Called with the address of each authenticated caller. */
  readonly onVerified: (peer: string) => void;
  /**
   * Called for each call that was rejected or ended because of its caller: its identity, or data that it sent or failed
   * to send.
   */
  readonly onRefused: ((error: RelayError, method: CalledMethod) => void) | undefined;
}

/** A certificate request and a token, with spare room. */
const MAX_UNARY_BYTES = 64 * 1024;

export class CallGate {
  readonly #options: CallGateOptions;
  readonly #anonymous: AddressRate;

  constructor(options: CallGateOptions) {
    this.#options = options;
    this.#anonymous = new AddressRate(options.limits.anonymousWindow);
  }

  /**
   * A handler that runs `work` for callers that may call the method. `caller` is undefined for methods that need no
   * credential.
   */
  unary(
    method: MethodName,
    work: (bytes: Buffer, call: GatedCall, caller: Caller | undefined) => Promise<Buffer>,
  ): handleUnaryCall<Buffer, Buffer> {
    return (call, callback) => {
      const peer = call.getPeer();
      const answer = async (): Promise<Buffer> => {
        const caller = await this.#authorize(method, call);
        if (call.request.byteLength > MAX_UNARY_BYTES) {
          throw new RelayError('RELAY_E_RESOURCE_EXHAUSTED', `${method} accepts at most ${MAX_UNARY_BYTES} bytes`);
        }
        return work(call.request, call, caller);
      };
      answer().then(
        (bytes) => callback(null, bytes),
        (thrown) => callback(statusOf(this.#refuse(method, peer, thrown))),
      );
    };
  }

  /** A handler that opens a stream for callers that may call it. An error from `open` ends the stream. */
  stream(
    method: MethodName,
    open: (call: RawCall, caller: Caller) => Promise<void>,
  ): handleBidiStreamingCall<Buffer, Buffer> {
    return (call) => {
      // A call that has ended may no longer know its peer.
      const peer = call.getPeer();
      // Without a listener, a stream error ends the process; the call's own listener converts it to a status.
      call.on('error', () => undefined);
      const run = async (): Promise<void> => {
        const caller = await this.#authorize(method, call);
        if (caller === undefined)
          throw new RelayError('RELAY_E_INTERNAL', `${method} is a stream that any client may open`);
        await open(call, caller);
      };
      run().catch((thrown) => call.emit('error', statusOf(this.#refuse(method, peer, thrown))));
    };
  }

  async #authorize(method: MethodName, call: GatedCall): Promise<Caller | undefined> {
    const bytes = headerBytes(call.metadata);
    const max = this.#options.limits.headerBytes;
    if (bytes > max)
      throw new RelayError(
        'RELAY_E_RESOURCE_EXHAUSTED',
        `${method} accepts at most ${max} bytes of headers, but got ${bytes}`,
      );
    const caller = await authorize(method, call, this.#options.admits);
    if (caller === undefined) this.#admitAnonymous(method, call.getPeer());
    else this.#options.onVerified(call.getPeer());
    return caller;
  }

  /**
   * Such calls cost a Secret lookup and an audit line, so their rate is limited per address. @throws RelayError
   * RELAY_E_RESOURCE_EXHAUSTED
   */
  #admitAnonymous(method: MethodName, peer: string): void {
    const { limits, now } = this.#options;
    const { anonymousCalls, anonymousWindow } = limits;
    if (this.#anonymous.count(peer, now()) <= anonymousCalls) return;
    const seconds = Math.ceil(this.#anonymous.left(now()) / 1000);
    throw new RelayError(
      'RELAY_E_RESOURCE_EXHAUSTED',
      `${method} without a credential is limited to ${anonymousCalls} calls in ${anonymousWindow / 1000} s for each address, here ${addressBlock(peer)}; try again in ${seconds} s`,
    );
  }

  /** A call that grpc-js answered itself. */
  readonly refusedByLibrary = (method: CalledMethod, peer: string, error: RelayError): void => {
    this.#refuse(method, peer, error);
  };

  #refuse(method: CalledMethod, peer: string, thrown: unknown): RelayError {
    const error = this.log(method, peer, thrown);
    this.count(method, error);
    return error;
  }

  /** Counts how a call ended, if it ended because of its caller. */
  count(method: CalledMethod, error: RelayError): void {
    if (blamesPeer(error)) this.#options.onRefused?.(error, method);
  }

  /** Logs a rejection. @returns the error that is sent to the caller */
  log(method: CalledMethod, peer: string, thrown: unknown): RelayError {
    const { logger, log } = this.#options;
    const error = asRelayError(thrown);
    const fields = { method, code: error.code, reason: error.message, next: error.next };
    if (error.code === 'RELAY_E_INTERNAL')
      logger.error({ ...fields, peer, err: error.cause ?? error }, 'relay call failed');
    else log.warn(peer, fields, 'relay call refused');
    return error;
  }
}
