/** The server's side of the relay: one TLS port for registration and the agents' streams. */
import type { Buffer } from 'node:buffer';
import { clearTimeout, setTimeout } from 'node:timers';
import { Server, type ServerDuplexStream, type UntypedHandleCall } from '@grpc/grpc-js';
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
import { type Logger, SILENT } from '../logger.ts';
import type {
  Heartbeat,
  InvokeRequest,
  InvokeResponse,
  Move,
  PullRequest,
  PullResponse,
  PushRequest,
  PushResponse,
  RelayMessage,
} from '../message.ts';
import type { StreamMachine } from '../stream/machine.ts';
import { CallGate, type GatedCall } from './call-gate.ts';
import { channelOptions, type Keepalive } from './channel-options.ts';
import { ConnectionAges } from './connection-ages.ts';
import { ConnectionGuard, type GuardReason } from './connection-guard.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from './connection-limits.ts';
import { type Caller, type Identify, type IdentifyToken, requireClusterHeader } from './identity.ts';
import { type CalledMethod, watchLibraryAnswers } from './library-answers.ts';
import { PeerLog } from './peer-log.ts';
import { type Heartbeats, type SharedHeartbeats, sharedHeartbeats } from './pump.ts';
import { readHello } from './read-hello.ts';
import { type RelaySession, ServerSession, type StreamName } from './relay-session.ts';
import { type RelayServerTls, ReloadableTls } from './server-tls.ts';
import { CLUSTER_HEADER, type MethodName, RELAY_SERVICE } from './service.ts';
import { SessionRegistry } from './session-registry.ts';
import { logSilentConnections } from './silent-connections.ts';

/** Origin of a registration. */
export interface RegisterContext {
  /** Address and port. */
  readonly address: string;
}

/** Origin of a renewal. */
export interface RenewContext extends RegisterContext {
  /**
   * The caller that the client certificate proved. Undefined without a certificate: the caller must prove the key of an
   * expired one.
   */
  readonly caller: Caller | undefined;
  /** The cluster that the caller claims, unverified. For logs. */
  readonly claimed: string;
  /** Compares the caller's claim with its credential. @throws RelayError RELAY_E_IDENTITY_MISMATCH */
  requireCluster(cluster: string): void;
}

export type PushMachine = StreamMachine<PushRequest, PushResponse>;
export type PullMachine = StreamMachine<PullRequest, PullResponse>;
export type InvokeMachine = StreamMachine<InvokeRequest, InvokeResponse>;

export interface RelayServerOptions {
  /** `host:port`; port 0 picks a free port. */
  readonly address: string;
  readonly tls: RelayServerTls;
  readonly identify: Identify;
  /** Set where tokens are accepted instead of client certificates. */
  readonly identifyToken?: IdentifyToken;
  /** Exchanges a token for a certificate. Throws RelayError to reject; the caller sees its message. */
  register(request: RegisterRequest, context: RegisterContext): Promise<RegisterResponse>;
  /**
   * Issues a new certificate for the caller's verified identity, or a challenge to prove it. Throws RelayError to
   * reject. Without it the method is unimplemented.
   */
  renew?(request: RenewRequest, context: RenewContext): Promise<RenewResponse>;
  /**
   * Returns the roots that a caller should trust. Throws RelayError to reject. Without it the method is unimplemented.
   */
  trust?(request: TrustRequest, caller: Caller): Promise<TrustResponse>;
  /**
   * Signs an intermediate CA for a mesh of the caller's cluster. Throws RelayError to reject. Without it the method is
   * unimplemented.
   */
  sign?(request: SignRequest, caller: Caller): Promise<SignResponse>;
  /** Creates the receiver for an agent's push stream. Throws RelayError to reject the stream. */
  onPush(session: RelaySession): PushMachine | Promise<PushMachine>;
  /** Creates the sender for an agent's pull stream. Throws RelayError to reject the stream. */
  onPull(session: RelaySession): PullMachine | Promise<PullMachine>;
  /** Creates the caller for an agent's invoke stream. Without it the method is unimplemented. */
  onInvoke?(session: RelaySession): InvokeMachine | Promise<InvokeMachine>;
  readonly limits?: Partial<RelayLimits>;
  readonly connectionLimits?: Partial<ConnectionLimits>;
  readonly heartbeats?: Heartbeats;
  /** Default: SERVER_KEEPALIVE. Connections are checked once per window of the limits. */
  readonly keepalive?: Keepalive;
  /**
   * Milliseconds after which a connection must be reopened, so that agents spread over replicas. Default 30 minutes.
   */
  readonly connectionAge?: number;
  /** From 0 to below 1; Math.random unless given. */
  readonly random?: () => number;
  /** Called for each connection that the guard ends. */
  readonly onConnectionRefused?: (reason: GuardReason) => void;
  /**
   * Called for each call that was rejected or ended because of its caller: its identity, or data that it sent or failed
   * to send.
   */
  readonly onRefused?: (error: RelayError, method: CalledMethod) => void;
  readonly logger?: Logger;
}

export interface RelayServer extends AsyncDisposable {
  /** The port that the server listens on. */
  readonly port: number;
  /** The open streams. */
  sessions(): RelaySession[];
  /** Number of open connections, and of those without an authenticated caller. */
  readonly connections: { readonly connections: number; readonly unverified: number };
  /** Uses another certificate and other client roots from the next connection on. */
  replaceTls(tls: RelayServerTls): void;
  /** Moves the agents to other replicas and closes, after at most `grace` milliseconds (default 5000). Idempotent. */
  close(grace?: number): Promise<void>;
}

const CONNECTION_AGE = 30 * 60_000;
/** Milliseconds an agent has to open another connection. */
const MOVE_WITHIN = 30_000;
/** Factor on the age for connections of agents that cannot move. */
const LATEST_AGE = 1.25;
/** Share of the shutdown time that is left to notify agents that have not moved. */
const FAREWELL_SHARE = 0.2;
/** Characters stored of the claimed name: the longest name of a cluster. */
const MAX_CLAIM = 253;
/** One push, one pull, one invoke, and overlaps while streams are reopened. */
const STREAMS_PER_CONNECTION = 16;

const METHOD: Readonly<Record<StreamName, MethodName>> = { push: 'Push', pull: 'Pull', invoke: 'Invoke' };

/** Starts listening. @throws Error when the address cannot be bound or the certificate and key are unusable */
export async function startRelayServer(options: RelayServerOptions): Promise<RelayServer> {
  const relay = new Relay(options);
  await relay.listen(options.address);
  return relay;
}

class Relay implements RelayServer {
  readonly #options: RelayServerOptions;
  readonly #limits: RelayLimits;
  readonly #logger: Logger;
  readonly #peerLog: PeerLog;
  readonly #heartbeats: SharedHeartbeats;
  readonly #tls: ReloadableTls;
  readonly #gate: CallGate;
  readonly #server: Server;
  readonly #sessions: SessionRegistry<RelaySession> = new SessionRegistry();
  readonly #guard: ConnectionGuard;
  readonly #ages: ConnectionAges;
  #port = 0;
  #closed: Promise<void> | undefined;

  constructor(options: RelayServerOptions) {
    this.#options = options;
    this.#limits = relayLimits(options.limits);
    this.#logger = options.logger ?? SILENT;
    this.#heartbeats = sharedHeartbeats(options.heartbeats);
    this.#tls = new ReloadableTls(options.tls);
    const limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.connectionLimits };
    const now = (): number => performance.now();
    const log = new PeerLog({ logger: this.#logger, window: limits.window, now });
    this.#peerLog = log;
    this.#guard = new ConnectionGuard({
      limits,
      keepalive: options.keepalive,
      log,
      now,
      onRefused: options.onConnectionRefused,
    });
    this.#gate = new CallGate({
      admits: options,
      logger: this.#logger,
      log,
      limits,
      now,
      onVerified: (peer) => this.#guard.proved(peer),
      onRefused: options.onRefused,
    });
    const { connectionAge: age = CONNECTION_AGE, random = Math.random } = options;
    this.#ages = new ConnectionAges({ age, random, old: (address) => this.#tooOld(address) });
    this.#server = new Server({
      ...channelOptions(this.#limits),
      'grpc.max_concurrent_streams': STREAMS_PER_CONNECTION,
      // For agents without the capability `move`: the connection is closed.
      'grpc.max_connection_age_ms': age * LATEST_AGE,
      'grpc.max_connection_age_grace_ms': MOVE_WITHIN,
    });
    this.#server.addService(RELAY_SERVICE, this.#handlers());
  }

  get port(): number {
    return this.#port;
  }

  listen(address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(address, this.#tls.credentials, (error, port) => {
        this.#port = port;
        if (error) return reject(error);
        this.#guard.watch(this.#server);
        watchLibraryAnswers(this.#server, this.#gate.refusedByLibrary);
        logSilentConnections(this.#server, this.#logger, this.#peerLog);
        resolve();
      });
    });
  }

  sessions(): RelaySession[] {
    return this.#sessions.all();
  }

  get connections(): { readonly connections: number; readonly unverified: number } {
    return this.#guard.counts;
  }

  replaceTls(tls: RelayServerTls): void {
    this.#tls.replace(tls);
  }

  close(grace = 5000): Promise<void> {
    this.#closed ??= this.#close(grace);
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Accepts no more connections; agents that can move do so, then the rest is closed. */
  #close(grace: number): Promise<void> {
    for (const session of this.#sessions.all())
      if (!session.move('this server is about to stop', grace)) session.close(draining());
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(ending);
        clearTimeout(end);
        this.#ages.end();
        this.#guard.endAll();
        resolve();
      };
      const ending = setTimeout(
        () => {
          for (const session of this.#sessions.all()) session.close(draining());
        },
        grace * (1 - FAREWELL_SHARE),
      );
      // A connection still in its handshake, for which grpc-js does not call back, must not delay the end of the
      // program.
      const end = setTimeout(() => {
        this.#server.forceShutdown();
        done();
      }, grace);
      this.#server.tryShutdown(done);
    });
  }

  #tooOld(address: string): void {
    const streams = this.#sessions.all().filter((session) => session.address === address);
    for (const session of streams) session.move('this connection is old', MOVE_WITHIN);
  }

  /** One handler per method; each passes the gate first. */
  #handlers(): Record<MethodName, UntypedHandleCall> {
    const gate = this.#gate;
    return {
      Register: gate.unary('Register', (bytes, call) => this.#register(bytes, call)),
      Renew: gate.unary('Renew', (bytes, call, caller) => this.#renew(bytes, call, caller)),
      Trust: gate.unary('Trust', (bytes, _call, caller) => this.#trust(bytes, caller)),
      Sign: gate.unary('Sign', (bytes, _call, caller) => this.#sign(bytes, caller)),
      Push: gate.stream('Push', (call, caller) =>
        this.#open(call, caller, 'push', pushRequestCodec, pushResponseCodec, this.#options.onPush),
      ),
      Pull: gate.stream('Pull', (call, caller) =>
        this.#open(call, caller, 'pull', pullRequestCodec, pullResponseCodec, this.#options.onPull),
      ),
      Invoke: gate.stream('Invoke', (call, caller) => {
        const { onInvoke } = this.#options;
        if (onInvoke === undefined) return Promise.reject(unimplemented('Invoke'));
        return this.#open(call, caller, 'invoke', invokeRequestCodec, invokeResponseCodec, onInvoke);
      }),
    };
  }

  async #register(bytes: Buffer, call: GatedCall): Promise<Buffer> {
    const request = registerRequestCodec.decode(bytes);
    const address = call.getPeer();
    requireClusterHeader(call.metadata, request.cluster);
    const response = await this.#options.register(request, { address });
    const { cluster, program } = request;
    this.#logger.info({ cluster, peer: address, program }, 'agent registered');
    return registerResponseCodec.encode(response);
  }

  async #renew(bytes: Buffer, call: GatedCall, caller: Caller | undefined): Promise<Buffer> {
    const { renew } = this.#options;
    if (renew === undefined) throw unimplemented('Renew');
    const claimed = String(call.metadata.get(CLUSTER_HEADER)[0] ?? '').slice(0, MAX_CLAIM);
    const response = await renew(renewRequestCodec.decode(bytes), {
      address: call.getPeer(),
      caller,
      claimed,
      requireCluster: (cluster) => requireClusterHeader(call.metadata, cluster),
    });
    if (response.certificatePem !== '') this.#logger.info({ cluster: claimed }, 'agent certificate renewed');
    return renewResponseCodec.encode(response);
  }

  async #trust(bytes: Buffer, caller: Caller | undefined): Promise<Buffer> {
    const { trust } = this.#options;
    if (trust === undefined || caller === undefined) throw unimplemented('Trust');
    return trustResponseCodec.encode(await trust(trustRequestCodec.decode(bytes), caller));
  }

  async #sign(bytes: Buffer, caller: Caller | undefined): Promise<Buffer> {
    const { sign } = this.#options;
    if (sign === undefined || caller === undefined) throw unimplemented('Sign');
    return signResponseCodec.encode(await sign(signRequestCodec.decode(bytes), caller));
  }

  async #open<In extends RelayMessage, Out>(
    call: ServerDuplexStream<Buffer, Buffer>,
    caller: Caller,
    stream: StreamName,
    incoming: Codec<In>,
    outgoing: Codec<Out | Heartbeat | Move>,
    provide: (session: RelaySession) => StreamMachine<In, Out> | Promise<StreamMachine<In, Out>>,
  ): Promise<void> {
    const hello = await readHello(call, incoming as Codec<RelayMessage>, this.#heartbeats.openWithin);
    if (hello.cluster !== '' && hello.cluster !== caller.cluster) {
      throw new RelayError(
        'RELAY_E_IDENTITY_MISMATCH',
        `hello must name no cluster or the cluster of the certificate, ${caller.cluster}; set relay.cluster to that, or register under the other name`,
      );
    }
    if (this.#closed !== undefined) throw draining();
    const fields = { cluster: caller.cluster, stream, peer: call.getPeer(), term: hello.term };
    const session = new ServerSession<In, Out>({
      call,
      stream,
      caller,
      hello,
      incoming,
      outgoing,
      // An invoke stream is usually idle.
      heartbeats: stream === 'invoke' ? undefined : this.#heartbeats,
      ended: (reason) => {
        this.#sessions.delete(session);
        this.#ages.closed(session.address);
        if (reason !== undefined) this.#gate.count(METHOD[stream], reason);
        this.#logger.info(
          { ...fields, code: reason?.code, reason: reason?.message, next: reason?.next, err: reason?.cause },
          'relay stream ended',
        );
      },
    });
    this.#sessions.add(session);
    this.#ages.opened(session.address);
    const { program, capabilities } = hello;
    this.#logger.info({ ...fields, program, capabilities }, 'relay stream opened');
    try {
      session.begin(await provide(session));
    } catch (thrown) {
      session.close(this.#gate.log(METHOD[stream], fields.peer, thrown));
    }
  }
}

function draining(): RelayError {
  return new RelayError('RELAY_E_DRAINING', 'this server is about to stop; connect again');
}

function unimplemented(method: MethodName): RelayError {
  return new RelayError('RELAY_E_UNIMPLEMENTED', `this server does not offer ${method}`);
}
