/** A TCP proxy on loopback that injects faults on demand: the network between two programs of a test. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Direction, type DirectionFaults } from './direction.ts';

/** Upstream of a connection. */
export interface Upstream {
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
}

/** Faults of all connections, per direction. */
export interface ConnectionFaults {
  readonly toServer?: DirectionFaults;
  readonly toClient?: DirectionFaults;
  /** Resets new connections at once, as if no process listened on the port. */
  readonly refuse?: boolean;
}

/** A connection through the proxy. */
interface Link {
  /** No more bytes pass, even if the line recovers. */
  frozen: boolean;
  readonly upstream: Upstream;
  readonly client: Socket;
  readonly server: Socket;
  readonly toServer: Direction;
  readonly toClient: Direction;
}

/** Silence in both directions: a partition that neither end can detect. */
export const BLACKHOLE: ConnectionFaults = { toServer: { silent: true }, toClient: { silent: true } };

/** Proxies every connection made to {@link FaultProxy.port}. Disposing it closes all of them. */
export class FaultProxy implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #choose: () => Upstream | undefined;
  readonly #links = new Set<Link>();
  #faults: ConnectionFaults = {};
  #accepted = 0;

  private constructor(server: Server, choose: () => Upstream | undefined) {
    this.#server = server;
    this.#choose = choose;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (client) => this.#accept(client));
  }

  /** Listens on a free port. `choose` returns the upstream of each connection; undefined resets the connection. */
  static async start(choose: () => Upstream | undefined): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, choose);
  }

  /** Connections open on at least one side. */
  get open(): number {
    return this.#links.size;
  }

  /** Number of connections accepted since the start. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Number of bytes passed over the open connections. */
  get bytes(): { readonly toServer: number; readonly toClient: number } {
    const links = [...this.#links];
    const sum = (of: (link: Link) => Direction): number => links.reduce((total, link) => total + of(link).passed, 0);
    return { toServer: sum(({ toServer }) => toServer), toClient: sum(({ toClient }) => toClient) };
  }

  /** Replaces the faults of open and new connections; `{}` removes all faults. */
  setFaults(faults: ConnectionFaults): void {
    this.#faults = faults;
    for (const { toServer, toClient } of this.#links) {
      toServer.check();
      toClient.check();
    }
  }

  /** Resets every open connection, or those to one upstream port. */
  reset(port?: number): void {
    for (const link of this.#of(port)) this.#cut(link);
  }

  /** Silences the open connections permanently, so that they become half-open. New connections are not affected. */
  freeze(): void {
    for (const link of this.#links) link.frozen = true;
  }

  /** Closes every connection in order on both sides, as a load balancer closes idle connections. */
  close(port?: number): void {
    for (const { client, server } of this.#of(port)) {
      client.end();
      server.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.reset();
    await closed;
  }

  #of(port: number | undefined): Link[] {
    return [...this.#links].filter(({ upstream }) => port === undefined || upstream.port === port);
  }

  #accept(client: Socket): void {
    this.#accepted++;
    const upstream = this.#faults.refuse === true ? undefined : this.#choose();
    if (upstream === undefined) {
      client.on('error', () => {}); // the connection is closed in any case
      client.resetAndDestroy();
      return;
    }
    const { host = '127.0.0.1', port } = upstream;
    const server = connect({ host, port, allowHalfOpen: true, noDelay: true });
    const cut = (): void => this.#cut(link);
    const faultsOf = (way: 'toServer' | 'toClient'): DirectionFaults =>
      link.frozen ? { silent: true } : (this.#faults[way] ?? {});
    const link: Link = {
      frozen: false,
      upstream,
      client,
      server,
      toServer: new Direction(client, server, () => faultsOf('toServer'), cut),
      toClient: new Direction(server, client, () => faultsOf('toClient'), cut),
    };
    this.#links.add(link);
    // An error on one side resets the other, unless the fault hides it.
    client.on('error', () => this.#broken(link, 'toServer'));
    server.on('error', () => this.#broken(link, 'toClient'));
    for (const socket of [client, server]) socket.on('close', () => this.#closed(link));
    link.toServer.check();
    link.toClient.check();
  }

  #broken(link: Link, heardBy: 'toServer' | 'toClient'): void {
    if (!link.frozen && this.#faults[heardBy]?.silent !== true) this.#cut(link);
  }

  #closed(link: Link): void {
    const { client, server, toServer, toClient } = link;
    if (!client.destroyed || !server.destroyed) return;
    toServer.stop();
    toClient.stop();
    this.#links.delete(link);
  }

  #cut({ client, server }: Link): void {
    for (const socket of [client, server]) if (!socket.destroyed) socket.resetAndDestroy();
  }
}
