/** One port for all traffic from proxies: plaintext gRPC, plain HTTP/1.1, gRPC over TLS. */
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { limitedHeaders } from './limited-headers.ts';
import { sniff } from './sniff.ts';
import { SourceBudget, type SourceLimits } from './source-budget.ts';

/** A service and its implementation. */
export interface ServedService {
  readonly definition: ServiceDefinition;
  readonly handlers: UntypedServiceImplementation;
}

/** Counts, and milliseconds. */
export interface DataPlaneLimits extends SourceLimits {
  /** Timeout for detecting the protocol of a connection, and for its TLS handshake. */
  readonly handshake: number;
  /** Maximum number of concurrent calls on one connection. */
  readonly streams: number;
  /** Maximum bytes of one message. */
  readonly messageBytes: number;
}

export const DEFAULT_DATA_PLANE_LIMITS: DataPlaneLimits = {
  connections: 10_000,
  perSource: 64,
  handshake: 5000,
  streams: 100,
  messageBytes: 4 * 1024 * 1024,
};

/** Why a connection was ended; also the label of a metric. */
export type DataPlaneRejection = 'connections' | 'source' | 'handshake-timeout' | 'tls' | 'no-tls';

export interface DataPlaneOptions {
  readonly listen: { readonly host?: string | undefined; readonly port: number };
  /** Services that any client of the port may call. */
  readonly plain: readonly ServedService[];
  /** Plain HTTP/1.1. */
  readonly http: RequestListener;
  /** Services over TLS only; omitted: TLS is rejected. */
  readonly secure?:
    | {
        readonly services: readonly ServedService[];
        /**
         * PEM, read at each handshake, so that a renewed certificate is used from then on; undefined without a
         * certificate.
         */
        readonly certificate: () => { readonly cert: string; readonly key: string } | undefined;
      }
    | undefined;
  /** The size of a call's headers, which is limited. */
  readonly headerBytes: (metadata: Metadata) => number;
  readonly limits?: Partial<DataPlaneLimits> | undefined;
  readonly onRefused?: ((reason: DataPlaneRejection) => void) | undefined;
}

/** A listening server. Disposing of it lets calls end for a moment, then ends them. */
export interface DataPlaneServer extends AsyncDisposable {
  readonly port: number;
  readonly connections: number;
}

/** Milliseconds for calls to end: streams of proxies do not end by themselves. */
const DRAIN = 300;

/** Starts listening. @throws the error of an unusable address */
export async function listenForProxies(options: DataPlaneOptions): Promise<DataPlaneServer> {
  const server = new OnePort(options);
  await server.listen();
  return server;
}

type Injector = ReturnType<Server['createConnectionInjector']>;

class OnePort implements DataPlaneServer {
  readonly #options: DataPlaneOptions;
  readonly #limits: DataPlaneLimits;
  readonly #budget: SourceBudget;
  readonly #net: NetServer;
  readonly #http: HttpServer;
  readonly #plain: Injector;
  readonly #secure: Injector | undefined;
  readonly #tls: TlsServer | undefined;
  #certificate: string | undefined;
  /** Clears the timer of each pending handshake. */
  readonly #shaking = new Map<string, () => void>();
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(options: DataPlaneOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_DATA_PLANE_LIMITS, ...options.limits };
    this.#budget = new SourceBudget(this.#limits);
    this.#http = createHttpServer({ requestTimeout: 30_000, headersTimeout: this.#limits.handshake }, options.http);
    this.#plain = this.#serve(options.plain);
    this.#secure = options.secure && this.#serve(options.secure.services);
    this.#tls = this.#secure && this.#listenForTls(this.#secure);
    this.#net = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => void this.#take(socket));
  }

  get port(): number {
    return (this.#net.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#budget.connections;
  }

  listen(): Promise<void> {
    const { host, port } = this.#options.listen;
    return new Promise((resolve, reject) => {
      this.#net.once('error', reject);
      this.#net.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
        this.#net.off('error', reject);
        resolve();
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#net.close(() => resolve()));
    this.#http.closeIdleConnections();
    for (const injector of [this.#plain, this.#secure]) injector?.drain(DRAIN);
    await new Promise((resolve) => setTimeout(resolve, DRAIN));
    for (const injector of [this.#plain, this.#secure]) injector?.destroy();
    for (const server of this.#servers) server.forceShutdown();
    for (const socket of this.#sockets) socket.destroy();
    this.#http.closeAllConnections();
    await closed;
  }

  #serve(services: readonly ServedService[]): Injector {
    const { streams, messageBytes } = this.#limits;
    const server = new Server({
      'grpc.max_concurrent_streams': streams,
      'grpc.max_receive_message_length': messageBytes,
    });
    for (const { definition, handlers } of services)
      server.addService(definition, limitedHeaders(definition, handlers, this.#options.headerBytes));
    this.#servers.push(server);
    return server.createConnectionInjector(ServerCredentials.createInsecure());
  }

  async #take(socket: Socket): Promise<void> {
    // An error of a proxy's connection must end only that connection.
    socket.on('error', () => socket.destroy());
    const leave = this.#budget.enter(socket.remoteAddress ?? '');
    if (typeof leave === 'string') {
      this.#refuse(socket, leave);
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      leave();
    });
    switch (await sniff(socket, this.#limits.handshake)) {
      case 'http2':
        this.#plain.injectConnection(socket);
        break;
      case 'http1':
        this.#http.emit('connection', socket);
        socket.resume();
        break;
      case 'tls':
        this.#shakeHands(socket);
        break;
      case 'late':
        this.#refuse(socket, 'handshake-timeout');
        break;
      case 'gone':
        break;
    }
  }

  /** Node's own TLS server handles TLS, without listening itself. */
  #shakeHands(socket: Socket): void {
    const { secure } = this.#options;
    if (secure === undefined || this.#tls === undefined) {
      this.#refuse(socket, 'no-tls');
      return;
    }
    const certificate = secure.certificate();
    if (certificate === undefined) {
      this.#refuse(socket, 'no-tls');
      return;
    }
    const { cert, key } = certificate;
    if (cert !== this.#certificate) {
      this.#tls.setSecureContext({ cert, key });
      this.#certificate = cert;
    }
    const peer = peerOf(socket);
    const timer = setTimeout(() => this.#refuse(socket, 'handshake-timeout'), this.#limits.handshake);
    this.#shaking.set(peer, () => clearTimeout(timer));
    socket.once('close', () => this.#shaken(peer));
    this.#tls.emit('connection', socket);
  }

  #listenForTls(injector: Injector): TlsServer {
    const server = createTlsServer({ ALPNProtocols: ['h2'], handshakeTimeout: 2 * this.#limits.handshake });
    server.on('tlsClientError', (_, socket) => this.#refuse(socket, 'tls'));
    server.on('secureConnection', (socket) => {
      this.#shaken(peerOf(socket));
      socket.on('error', () => socket.destroy());
      if (socket.alpnProtocol === 'h2') injector.injectConnection(socket);
      else this.#refuse(socket, 'tls');
    });
    return server;
  }

  #shaken(peer: string): void {
    this.#shaking.get(peer)?.();
    this.#shaking.delete(peer);
  }

  #refuse(socket: Socket, reason: DataPlaneRejection): void {
    if (!socket.destroyed) this.#options.onRefused?.(reason);
    socket.destroy();
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
