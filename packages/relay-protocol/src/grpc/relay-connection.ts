/** The agent's side of one connection: registers, renews, and opens the streams. */
import { createSecureContext } from 'node:tls';
import { Client, type ClientDuplexStream, connectivityState, credentials, Metadata } from '@grpc/grpc-js';
import {
  type Codec,
  invokeRequestCodec,
  invokeResponseCodec,
  pullRequestCodec,
  pullResponseCodec,
  pushRequestCodec,
  pushResponseCodec,
  registerRequestCodec,
  registerResponseCodec,
  renewRequestCodec,
  renewResponseCodec,
  signRequestCodec,
  signResponseCodec,
  trustRequestCodec,
  trustResponseCodec,
} from '../codec/codec.ts';
import type {
  RegisterRequest,
  RegisterResponse,
  RenewRequest,
  RenewResponse,
  SignRequest,
  SignResponse,
  TrustRequest,
  TrustResponse,
} from '../codec/wire.ts';
import { RelayError } from '../errors.ts';
import { type RelayLimits, relayLimits } from '../limits.ts';
import type {
  Heartbeat,
  InvokeRequest,
  InvokeResponse,
  PullRequest,
  PullResponse,
  PushRequest,
  PushResponse,
} from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';
import { AGENT_KEEPALIVE, channelOptions, type Keepalive } from './channel-options.ts';
import { type Heartbeats, Pump, type SharedHeartbeats, sharedHeartbeats } from './pump.ts';
import { CLUSTER_HEADER, RELAY_SERVICE, TOKEN_HEADER } from './service.ts';
import { errorOf } from './status.ts';
import { checkServerName, TLS_POLICY } from './tls-policy.ts';

export interface RelayConnectionOptions {
  /** `host:port` of the server, or a list `ipv4:host:port,host:port` that is tried in order. */
  readonly address: string;
  /** The name in the server's certificate, if it differs from the host of the address. */
  readonly authority?: string;
  /** PEM of the roots that verify the server. No other root is trusted. */
  readonly roots: string;
  /** PEM. Without it and without a token, only `register` is allowed. */
  readonly clientCertificate?: { readonly key: string; readonly certificate: string };
  /** Sent with every call instead of a client certificate, after the server is verified. */
  readonly token?: string;
  readonly cluster: string;
  readonly limits?: Partial<RelayLimits>;
  readonly heartbeats?: Heartbeats;
  /** Default: AGENT_KEEPALIVE. */
  readonly keepalive?: Keepalive;
}

/** A stream that is or was open. */
export interface RelayStream {
  /** Resolves with true when the server has answered on it, with false when it ended before. Never rejects. */
  readonly welcomed: Promise<boolean>;
  /** Resolves at its end, with the reason unless it ended normally. Never rejects. */
  readonly closed: Promise<RelayError | undefined>;
  /** Cancels the stream. */
  close(): void;
}

export interface RelayConnection extends Disposable {
  /**
   * Resolves when the server's certificate is verified and the agent's was presented. @throws RelayError
   * RELAY_E_UNAVAILABLE
   */
  ready(timeout?: number): Promise<void>;
  /**
   * Exchanges a token for a certificate. The token is sent only after the server's certificate is verified. @throws
   * RelayError
   */
  register(request: Omit<RegisterRequest, 'cluster'>, timeout?: number): Promise<RegisterResponse>;
  /** Requests a new certificate. @throws RelayError */
  renew(request: RenewRequest, timeout?: number): Promise<RenewResponse>;
  /** Reports the agent's roots and returns those it should have. @throws RelayError */
  trust(request: TrustRequest, timeout?: number): Promise<TrustResponse>;
  /** Requests an intermediate CA. @throws RelayError */
  sign(request: SignRequest, timeout?: number): Promise<SignResponse>;
  push(machine: StreamMachine<PushResponse, PushRequest>): RelayStream;
  pull(machine: StreamMachine<PullResponse, PullRequest>): RelayStream;
  /** Open it only if the server has the capability `invoke`. */
  invoke(machine: StreamMachine<InvokeResponse, InvokeRequest>): RelayStream;
  /** Closes the streams and the connection. Idempotent. */
  close(): void;
}

/** Timeout of a unary call in milliseconds, including the connection setup. */
const CALL_TIMEOUT = 15_000;

/** A connection that opens with its first call. */
export function connectRelay(options: RelayConnectionOptions): RelayConnection {
  return new Connection(options);
}

class Connection implements RelayConnection {
  readonly #options: RelayConnectionOptions;
  readonly #client: Client;
  readonly #metadata = new Metadata();
  readonly #heartbeats: SharedHeartbeats;
  readonly #streams = new Set<RelayStream>();
  #closed = false;

  constructor(options: RelayConnectionOptions) {
    this.#options = options;
    this.#heartbeats = sharedHeartbeats(options.heartbeats);
    const { authority, roots, clientCertificate, cluster } = options;
    const tls = credentials.createFromSecureContext(
      createSecureContext({
        ca: roots,
        ...(clientCertificate === undefined ? {} : { key: clientCertificate.key, cert: clientCertificate.certificate }),
        ...TLS_POLICY,
      }),
      { checkServerIdentity: checkServerName },
    );
    this.#metadata.set(CLUSTER_HEADER, cluster);
    if (options.token !== undefined) this.#metadata.set(TOKEN_HEADER, `Bearer ${options.token}`);
    this.#client = new Client(options.address, tls, {
      ...channelOptions(relayLimits(options.limits), options.keepalive ?? AGENT_KEEPALIVE),
      ...(authority === undefined
        ? {}
        : { 'grpc.default_authority': authority, 'grpc.ssl_target_name_override': authority }),
      // Streams resume by digest; gRPC's own retries and shared connections would hide which one failed.
      'grpc.enable_retries': 0,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.service_config_disable_resolution': 1,
    });
  }

  ready(timeout = CALL_TIMEOUT): Promise<void> {
    const channel = this.#client.getChannel();
    const deadline = Date.now() + timeout;
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new RelayError('RELAY_E_UNAVAILABLE', `cannot connect: ${why}`));
      const check = (): void => {
        // A closed channel resolves names again when its state is read, and grpc-js reads it while it waits.
        const state = this.#closed ? connectivityState.SHUTDOWN : channel.getConnectivityState(true);
        if (state === connectivityState.READY) resolve();
        else if (state === connectivityState.SHUTDOWN) fail('the connection was closed');
        else if (state === connectivityState.TRANSIENT_FAILURE) fail('the server is not reachable, or not trusted');
        else
          channel.watchConnectivityState(state, deadline, (error) => {
            if (error === undefined) check();
            else fail(error.message);
          });
      };
      check();
    });
  }

  register(request: Omit<RegisterRequest, 'cluster'>, timeout = CALL_TIMEOUT): Promise<RegisterResponse> {
    const whole = { ...request, cluster: this.#options.cluster };
    return this.#call(RELAY_SERVICE.Register.path, registerRequestCodec.encode(whole), registerResponseCodec, timeout);
  }

  renew(request: RenewRequest, timeout = CALL_TIMEOUT): Promise<RenewResponse> {
    return this.#call(RELAY_SERVICE.Renew.path, renewRequestCodec.encode(request), renewResponseCodec, timeout);
  }

  trust(request: TrustRequest, timeout = CALL_TIMEOUT): Promise<TrustResponse> {
    return this.#call(RELAY_SERVICE.Trust.path, trustRequestCodec.encode(request), trustResponseCodec, timeout);
  }

  sign(request: SignRequest, timeout = CALL_TIMEOUT): Promise<SignResponse> {
    return this.#call(RELAY_SERVICE.Sign.path, signRequestCodec.encode(request), signResponseCodec, timeout);
  }

  push(machine: StreamMachine<PushResponse, PushRequest>): RelayStream {
    return this.#open(RELAY_SERVICE.Push.path, machine, pushResponseCodec, pushRequestCodec);
  }

  pull(machine: StreamMachine<PullResponse, PullRequest>): RelayStream {
    return this.#open(RELAY_SERVICE.Pull.path, machine, pullResponseCodec, pullRequestCodec);
  }

  invoke(machine: StreamMachine<InvokeResponse, InvokeRequest>): RelayStream {
    return this.#open(RELAY_SERVICE.Invoke.path, machine, invokeResponseCodec, invokeRequestCodec, 'no heartbeats');
  }

  close(): void {
    this.#closed = true;
    for (const stream of this.#streams) stream.close();
    this.#client.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #call<T>(path: string, bytes: Buffer, codec: Codec<T>, timeout: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        path,
        pass,
        pass,
        bytes,
        this.#metadata,
        { deadline: Date.now() + timeout },
        (error, answer) => {
          if (error || answer === undefined) {
            reject(errorOf(error ?? {}) ?? new RelayError('RELAY_E_PROTOCOL', 'the server sent an empty answer'));
            return;
          }
          try {
            resolve(codec.decode(answer));
          } catch (thrown) {
            reject(thrown);
          }
        },
      );
      call.on('error', () => undefined);
    });
  }

  #open<In, Out>(
    path: string,
    machine: StreamMachine<In, Out>,
    incoming: Codec<In>,
    outgoing: Codec<Out | Heartbeat>,
    idleTimeoutMs: 'heartbeats' | 'no heartbeats' = 'heartbeats',
  ): RelayStream {
    const call = this.#client.makeBidiStreamRequest(path, pass, pass, this.#metadata);
    const heartbeats = idleTimeoutMs === 'heartbeats' ? this.#heartbeats : undefined;
    const stream = new ClientStream(call, machine, incoming, outgoing, heartbeats);
    this.#streams.add(stream);
    void stream.closed.then(() => this.#streams.delete(stream));
    return stream;
  }
}

class ClientStream<In, Out> implements RelayStream {
  readonly closed: Promise<RelayError | undefined>;
  readonly welcomed: Promise<boolean>;
  readonly #call: ClientDuplexStream<Buffer, Buffer>;
  readonly #pump: Pump<In, Out>;
  /** Why this end cancelled the call. */
  #local: RelayError | undefined;

  constructor(
    call: ClientDuplexStream<Buffer, Buffer>,
    machine: StreamMachine<In, Out>,
    incoming: Codec<In>,
    outgoing: Codec<Out | Heartbeat>,
    heartbeats: SharedHeartbeats | undefined,
  ) {
    this.#call = call;
    const { promise, resolve } = Promise.withResolvers<RelayError | undefined>();
    const welcome = Promise.withResolvers<boolean>();
    this.closed = promise;
    this.welcomed = welcome.promise;
    // Without a listener, a stream error ends the process; the status below reports the same error.
    call.on('error', () => undefined);
    call.on('status', (status) => {
      const reason = this.#local ?? errorOf(status);
      this.#pump.stop(reason);
      welcome.resolve(false);
      resolve(reason);
    });
    call.once('data', () => welcome.resolve(true));
    this.#pump = new Pump({
      stream: call,
      machine,
      incoming,
      outgoing,
      heartbeats,
      opened: false,
      fail: (error) => this.#break(error),
    });
  }

  close(): void {
    this.#break(new RelayError('RELAY_E_UNAVAILABLE', 'closed by this agent'));
  }

  #break(reason: RelayError): void {
    this.#local ??= reason;
    this.#pump.stop(reason);
    this.#call.cancel();
  }
}

function pass(bytes: Buffer): Buffer {
  return bytes;
}
