/** The server's side of the relay: one TLS port for registration and for the agents' streams. */
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

/** Where a registration came from. */
export interface RegisterContext {
  /** Address and port. */
  readonly address: string;
}

/** Where a renewal came from. */
export interface RenewContext extends RegisterContext {
  /** Who the client certificate proved the caller to be; undefined where it presented none, and must prove an expired one's key. */
  readonly caller: Caller | undefined;
  /** The cluster the caller says it is, of which nothing is proved. For logs. */
  readonly claimed: string;
  /** Holds what the caller claims against what it proved. @throws RelayError RELAY_E_IDENTITY */
  requireCluster(cluster: string): void;
}

export type PushMachine = StreamMachine<PushRequest, PushResponse>;
export type PullMachine = StreamMachine<PullRequest, PullResponse>;
export type InvokeMachine = StreamMachine<InvokeRequest, InvokeResponse>;

export interface RelayServerOptions {
  /** `host:port`; port 0 for any that is free. */
  readonly address: string;
  readonly tls: RelayServerTls;
  readonly identify: Identify;
  /** Where tokens are taken in the place of client certificates. */
  readonly identifyToken?: IdentifyToken;
  /** Trades a token for a certificate. Throws RelayError to refuse; its message is shown to the caller. */
  register(request: RegisterRequest, context: RegisterContext): Promise<RegisterResponse>;
  /**
   * Gives the caller a new certificate for the identity it has proved, or a challenge to prove it by. Throws RelayError to refuse. Without it the
   * method is refused as unimplemented.
   */
  renew?(request: RenewRequest, context: RenewContext): Promise<RenewResponse>;
  /** Tells a caller which roots to trust. Throws RelayError to refuse. Without it the method is refused as unimplemented. */
  trust?(request: TrustRequest, caller: Caller): Promise<TrustResponse>;
  /** Signs an intermediate CA for a mesh of the caller's cluster. Throws RelayError to refuse. Without it the method is refused as unimplemented. */
  sign?(request: SignRequest, caller: Caller): Promise<SignResponse>;
  /** Makes the receiver for an agent's push stream. Throws RelayError to refuse the stream. */
  onPush(session: RelaySession): PushMachine | Promise<PushMachine>;
  /** Makes the sender for an agent's pull stream. Throws RelayError to refuse the stream. */
  onPull(session: RelaySession): PullMachine | Promise<PullMachine>;
  /** Makes the caller for an agent's invoke stream. Without it the method is refused as unimplemented. */
  onInvoke?(session: RelaySession): InvokeMachine | Promise<InvokeMachine>;
  readonly limits?: Partial<RelayLimits>;
  readonly connectionLimits?: Partial<ConnectionLimits>;
  readonly heartbeats?: Heartbeats;
  /** SERVER_KEEPALIVE unless given. Connections are looked at once in each window of the limits. */
  readonly keepalive?: Keepalive;
  /** Milliseconds after which a connection is to be made anew, so that agents spread over replicas. Default 30 minutes. */
  readonly connectionAge?: number;
  /** From 0 to below 1; Math.random unless given. */
  readonly random?: () => number;
  /** Told of each connection that is ended for what it does. */
  readonly onConnectionRefused?: (reason: GuardReason) => void;
  /** Told of each call that was refused or ended for who its caller is, or for what it sent or failed to send. */
  readonly onRefused?: (error: RelayError, method: CalledMethod) => void;
  readonly logger?: Logger;
}

export interface RelayServer extends AsyncDisposable {
  /** The port that is listened on. */
  readonly port: number;
  /** The streams that are open. */
  sessions(): RelaySession[];
  /** Open connections, and those of them on which nobody has proved who they are. */
  readonly connections: { readonly connections: number; readonly unverified: number };
  /** Serves another certificate, and judges by other roots, from the next connection on. */
  replaceTls(tls: RelayServerTls): void;
  /** Tells the agents to go to another replica, and ends: at the latest after `grace` milliseconds (default 5000). Idempotent. */
  close(grace?: number): Promise<void>;
}

const CONNECTION_AGE = 30 * 60_000;
/** Milliseconds an agent has to make another connection. */
const MOVE_WITHIN = 30_000;
/** How much older than others a connection gets whose agent cannot move. */
const LATEST_AGE = 1.25;
/** The part of the time for closing that is left to tell those who have not moved. */
const FAREWELL_SHARE = 0.2;
/** Characters kept of what a caller claims to be: the longest name of a cluster. */
const MAX_CLAIM = 253;
/** One push, one pull, one invoke, and what overlaps while streams are remade. */
const STREAMS_PER_CONNECTION = 16;

const METHOD: Readonly<Record<StreamName, MethodName>> = { push: 'Push', pull: 'Pull', invoke: 'Invoke' };

/** Starts listening. @throws Error when the address cannot be bound or the certificate and key cannot be used. */
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
      // For agents that do not know how to move: the connection is taken from them.
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

  /** Takes no connections any more; those who can move do so, then what is left is ended. */
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
      // What grpc-js does not call back for (a connection still in its handshake) must not hold up the end of the program.
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

  /** One handler for every method; each passes the gate first. */
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
        'RELAY_E_IDENTITY',
        `hello must name no cluster or that of the certificate, ${caller.cluster}; set relay.cluster to that, or register under the other name`,
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
      // Silence on an invoke stream is its usual state.
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
