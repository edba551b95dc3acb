/** A gRPC client: one connection, opened by its first call. */
import type { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { type Channel, connectivityState, Metadata, type StatusObject } from '@grpc/grpc-js';
import { reach } from '../../network/internet.ts';
import type { Channel as NetworkChannel } from '../../network/network.ts';
import type { SimProcess } from '../../runtime/sim-process.ts';
import { type Connection, dial, type PeerCertificate } from './connection.ts';
import { broken, CallEnd } from './pipe.ts';
import { type Server, ServerCall } from './server.ts';

interface Credentials {
  readonly certificate: PeerCertificate | undefined;
}

export const credentials = {
  /** The context that `keepTlsOptions` returns: the options with which it was created. */
  createFromSecureContext: ({ cert }: { readonly cert?: string | Buffer }): Credentials => ({
    certificate: cert === undefined ? undefined : { raw: derOf(String(cert)) },
  }),
  createSsl: (_roots: Buffer, _key: Buffer | null, chain: Buffer | null): Credentials => ({
    certificate: chain === null ? undefined : { raw: derOf(chain.toString()) },
  }),
};

const ders = new Map<string, Uint8Array>();

function derOf(pem: string): Uint8Array {
  const known = ders.get(pem);
  if (known !== undefined) return known;
  const { raw } = new X509Certificate(pem);
  ders.set(pem, raw);
  return raw;
}

type Answered = (error: Partial<StatusObject> | null, answer?: Buffer) => void;

/** Milliseconds after which a silent connection counts as dead, as with gRPC's keepalive. */
const KEEPALIVE = 15_000;

export class Client {
  readonly #credentials: Credentials;
  readonly #process: SimProcess;
  #connection: Promise<Connection<Server>> | undefined;
  #open: Connection<Server> | undefined;
  #state = connectivityState.IDLE;
  readonly #watchers = new Set<() => void>();

  constructor(_address: string, given: Credentials) {
    this.#credentials = given;
    this.#process = reach().process;
  }

  makeBidiStreamRequest(path: string, _serialize: unknown, _deserialize: unknown, metadata: Metadata): ClientCall {
    const call = new ClientCall(this.#process, metadata);
    this.#connect().then(
      (connection) => call.open(connection, path),
      (error: Error) => call.finish(broken(error.message, new Metadata())),
    );
    return call;
  }

  makeUnaryRequest(
    path: string,
    _serialize: unknown,
    _deserialize: unknown,
    bytes: Buffer,
    metadata: Metadata,
    { deadline }: { readonly deadline: number },
    answered: Answered,
  ): { on(event: string, listener: () => void): void } {
    let over = false;
    const end: Answered = (error, answer) => {
      if (over) return;
      over = true;
      clearTimeout(limit);
      answered(error, answer);
    };
    const late = (): void => end({ code: 4, details: 'deadline exceeded', metadata: new Metadata() });
    const limit = setTimeout(late, deadline - Date.now());
    this.#connect().then(
      (connection) => {
        connection.atClient.add((why) => end(broken(why, new Metadata())));
        connection.up.send(() =>
          connection.listener.unary(path, bytes, metadata, connection, (error, answer) =>
            connection.down.send(() => end(error, answer)),
          ),
        );
      },
      (error: Error) => end(broken(error.message, new Metadata())),
    );
    return { on: () => {} };
  }

  close(): void {
    this.#enter(connectivityState.SHUTDOWN);
    this.#open?.break('client', 'closed');
  }

  /** State of the connection, for callers that wait for it before the first call. */
  getChannel(): Pick<Channel, 'getConnectivityState' | 'watchConnectivityState'> {
    return {
      getConnectivityState: (tryToConnect) => {
        if (tryToConnect && this.#state === connectivityState.IDLE) this.#connect().catch(() => undefined);
        return this.#state;
      },
      watchConnectivityState: (known, deadline, notify) => {
        let late: NodeJS.Timeout | undefined;
        const changed = (): void => {
          clearTimeout(late);
          this.#watchers.delete(changed);
          notify();
        };
        if (this.#state !== known) return queueMicrotask(changed);
        this.#watchers.add(changed);
        late = setTimeout(() => {
          this.#watchers.delete(changed);
          notify(new Error('deadline passed without connectivity state change'));
        }, Number(deadline) - Date.now());
      },
    };
  }

  #connect(): Promise<Connection<Server>> {
    if (this.#connection !== undefined) return this.#connection;
    this.#enter(connectivityState.CONNECTING);
    const connection = this.#dial();
    this.#connection = connection;
    return connection;
  }

  async #dial(): Promise<Connection<Server>> {
    try {
      const connection = await dial<Server>(this.#credentials.certificate);
      this.#open = connection;
      if (this.#state === connectivityState.SHUTDOWN) {
        connection.break('client', 'closed');
      } else {
        connection.atClient.add(() => this.#lost(connectivityState.IDLE));
        keepAlive(connection);
        this.#enter(connectivityState.READY);
      }
      return connection;
    } catch (error) {
      this.#lost(connectivityState.TRANSIENT_FAILURE);
      throw error;
    }
  }

  /** The connection is gone; the next call opens another. */
  #lost(state: connectivityState): void {
    this.#connection = undefined;
    this.#enter(state);
  }

  #enter(state: connectivityState): void {
    if (this.#state === connectivityState.SHUTDOWN || this.#state === state) return;
    this.#state = state;
    for (const changed of [...this.#watchers]) changed();
  }
}

/** Pings the other end periodically. */
function keepAlive(connection: Connection<Server>): void {
  let heard = performance.now();
  const timer = setInterval(() => {
    if (connection.gone) return clearInterval(timer);
    if (performance.now() - heard > KEEPALIVE + 5_000) {
      clearInterval(timer);
      connection.break('client', 'keepalive timeout');
      return;
    }
    connection.up.send(() =>
      connection.down.send(() => {
        heard = performance.now();
      }),
    );
  }, KEEPALIVE - 5_000);
}

/** The client's end of a stream. */
export class ClientCall extends CallEnd {
  readonly #process: SimProcess;
  #connection: Connection<Server> | undefined;
  #server: ServerCall | undefined;
  #over = false;
  readonly #early: Buffer[] = [];

  constructor(process: SimProcess, metadata: Metadata) {
    super(metadata);
    this.#process = process;
  }

  protected override get channel(): NetworkChannel | undefined {
    return this.#connection?.up;
  }

  override get peer(): ServerCall | undefined {
    return this.#server;
  }

  override get over(): boolean {
    return this.#over;
  }

  override write(bytes: Buffer): boolean {
    if (this.#connection !== undefined) return super.write(bytes);
    // It waits for the connection.
    this.#early.push(bytes);
    return true;
  }

  cancel(): void {
    if (this.#over) return;
    const server = this.#server;
    this.#connection?.up.send(() => server?.breakOff());
    this.finish({ code: 1, details: 'Cancelled on client', metadata: new Metadata() });
  }

  end(): void {
    const server = this.#server;
    this.#connection?.up.send(() => server?.hear(() => server.emit('end')));
  }

  /** The connection is open. */
  open(connection: Connection<Server>, path: string): void {
    if (this.#over) return;
    this.#connection = connection;
    const server = new ServerCall(this, connection, this.metadata);
    this.#server = server;
    const lost = (why: string): void => this.finish(broken(why, new Metadata()));
    connection.atClient.add(lost);
    connection.up.send(() => connection.listener.stream(path, server));
    for (const bytes of this.#early.splice(0)) super.write(bytes);
  }

  /** The call ends with a status, which is emitted once. */
  finish(status: StatusObject): void {
    if (this.#over) return;
    this.#over = true;
    queueMicrotask(() => {
      if (status.code !== 0) this.emit('error', Object.assign(new Error(status.details), status));
      this.emit('status', status);
    });
  }

  protected override drained(): void {
    this.#connection?.network.scheduler.after(0, this.#process, () => this.emit('drain'));
  }
}
