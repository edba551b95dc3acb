/** A gRPC server: method handlers at an address. */
import type { Buffer } from 'node:buffer';
import type { Metadata, StatusObject } from '@grpc/grpc-js';
import { Metadata as RealMetadata } from '@grpc/grpc-js';
import { reach } from '../../network/internet.ts';
import type { Channel } from '../../network/network.ts';
import type { SimProcess } from '../../runtime/sim-process.ts';
import type { Connection } from './connection.ts';
import { CallEnd } from './pipe.ts';

type Handler = (call: unknown, callback?: (error: StatusObject | null, answer?: Buffer) => void) => void;

export class Server {
  readonly process: SimProcess;
  listening = false;
  readonly #methods = new Map<string, Handler>();
  readonly #calls = new Set<ServerCall>();
  #idle: (() => void) | undefined;

  constructor() {
    this.process = reach().process;
  }

  addService(
    service: Readonly<Record<string, { readonly path: string }>>,
    handlers: Readonly<Record<string, Handler>>,
  ): void {
    for (const [name, { path }] of Object.entries(service)) {
      const handler = handlers[name];
      if (handler !== undefined) this.#methods.set(path, handler);
    }
  }

  bindAsync(_address: string, _credentials: unknown, bound: (error: Error | null, port: number) => void): void {
    const { internet, process } = reach();
    this.listening = true;
    internet.relays.add(this as never);
    process.atDeath.add(() => this.#stop());
    queueMicrotask(() => bound(null, 9_900));
  }

  /** For connections that another server accepted; the simulation has none. */
  createConnectionInjector(): { injectConnection(): void; drain(): void; destroy(): void } {
    return { injectConnection() {}, drain() {}, destroy() {} };
  }

  /** Accepts no new calls; calls back when all calls have ended. */
  tryShutdown(done: (error?: Error) => void): void {
    this.#stop();
    this.#idle = () => done();
    this.#checkIdle();
  }

  forceShutdown(): void {
    this.#stop();
    for (const call of [...this.#calls]) call.connection.break('server', 'the server stopped');
  }

  connect(): void {}

  /** A stream arrived. */
  stream(path: string, call: ServerCall): void {
    const handler = this.#methods.get(path);
    if (handler === undefined || !this.listening) {
      call.emit('error', { code: 12, details: `no method ${path}`, metadata: new RealMetadata() });
      return;
    }
    this.#calls.add(call);
    call.whenOver(() => {
      this.#calls.delete(call);
      this.#checkIdle();
    });
    handler(call);
  }

  /** A unary call arrived. */
  unary(
    path: string,
    request: Buffer,
    metadata: Metadata,
    connection: Connection,
    answer: (error: StatusObject | null, answer?: Buffer) => void,
  ): void {
    const call = {
      request,
      metadata,
      getPeer: () => connection.address,
      getAuthContext: () => ({ sslPeerCertificate: connection.certificate }),
      on: () => {},
    };
    this.#methods.get(path)?.(call, answer);
  }

  #stop(): void {
    this.listening = false;
    const internet = this.process.alive ? reach().internet : undefined;
    internet?.relays.delete(this as never);
  }

  #checkIdle(): void {
    if (this.#calls.size > 0 || this.#idle === undefined) return;
    const idle = this.#idle;
    this.#idle = undefined;
    queueMicrotask(idle);
  }
}

/** The client's end of a stream, as the server's end sees it. */
export interface StreamClient extends CallEnd {
  finish(status: StatusObject): void;
}

/** The server's end of a stream. An `error` emitted on it becomes the status of the call. */
export class ServerCall extends CallEnd {
  readonly connection: Connection;
  /** Whether the client cancelled the stream, or is gone. */
  cancelled = false;
  readonly #client: StreamClient;
  #over = false;
  readonly #whenOver: Array<() => void> = [];

  constructor(client: StreamClient, connection: Connection, metadata: Metadata) {
    super(metadata);
    this.#client = client;
    this.connection = connection;
    connection.atServer.add(() => this.breakOff());
    this.on('error', ((status: StatusObject) => this.#end(status)) as never);
  }

  protected override get channel(): Channel {
    return this.connection.down;
  }

  override get peer(): StreamClient {
    return this.#client;
  }

  override get over(): boolean {
    return this.#over;
  }

  getPeer(): string {
    return this.connection.address;
  }

  getAuthContext(): { readonly sslPeerCertificate?: { readonly raw: Uint8Array } } {
    const { certificate } = this.connection;
    return certificate === undefined ? {} : { sslPeerCertificate: certificate };
  }

  sendMetadata(): void {}

  end(): void {
    this.#end({ code: 0, details: '', metadata: new RealMetadata() });
  }

  /** The client cancelled the stream, or is gone. */
  breakOff(): void {
    if (this.#over) return;
    this.cancelled = true;
    this.#finish();
    this.emit('cancelled', 'cancelled');
  }

  whenOver(notify: () => void): void {
    this.#whenOver.push(notify);
  }

  protected override drained(): void {
    const { network, server } = this.connection;
    network.scheduler.after(0, server, () => this.emit('drain'));
  }

  #end(status: StatusObject): void {
    if (this.#over) return;
    this.#finish();
    const { code, details, metadata } = status;
    this.channel.send(() => this.#client.finish({ code, details, metadata: metadata ?? new RealMetadata() }));
  }

  #finish(): void {
    this.#over = true;
    for (const notify of this.#whenOver) notify();
  }
}
