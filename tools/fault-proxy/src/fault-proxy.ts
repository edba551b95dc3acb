/** A TCP proxy on loopback that makes connections suffer on demand: the network between two programs of a test. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Direction, type Trouble } from './direction.ts';

/** Where a connection goes on to. */
export interface Upstream {
  readonly port: number;
  /** 127.0.0.1 unless told. */
  readonly host?: string;
}

/** What is wrong with the line, each way. */
export interface LineTrouble {
  readonly toServer?: Trouble;
  readonly toClient?: Trouble;
  /** Connections that are begun are reset at once, as where nobody listens. */
  readonly refuse?: boolean;
}

/** A connection through the proxy. */
interface Link {
  /** Nothing passes any more, whatever becomes of the line. */
  frozen: boolean;
  readonly upstream: Upstream;
  readonly client: Socket;
  readonly server: Socket;
  readonly toServer: Direction;
  readonly toClient: Direction;
}

/** Both ways silent: a partition nobody is told of. */
export const SILENCE_TIMEOUT_MS: LineTrouble = { toServer: { silent: true }, toClient: { silent: true } };

/** Proxies every connection made to {@link FaultProxy.port}. Disposing it cuts them all. */
export class FaultProxy implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #choose: () => Upstream | undefined;
  readonly #links = new Set<Link>();
  #trouble: LineTrouble = {};
  #accepted = 0;

  private constructor(server: Server, choose: () => Upstream | undefined) {
    this.#server = server;
    this.#choose = choose;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (client) => this.#accept(client));
  }

  /** Listens on a free port. `choose` is asked for each connection where it goes; undefined resets it. */
  static async start(choose: () => Upstream | undefined): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, choose);
  }

  /** Connections that are open at least on one side. */
  get open(): number {
    return this.#links.size;
  }

  /** Connections that were ever accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Bytes that have passed over the connections that are open. */
  get bytes(): { readonly toServer: number; readonly toClient: number } {
    const links = [...this.#links];
    const sum = (of: (link: Link) => Direction): number => links.reduce((total, link) => total + of(link).passed, 0);
    return { toServer: sum(({ toServer }) => toServer), toClient: sum(({ toClient }) => toClient) };
  }

  /** Makes the line suffer from now on, running connections and new ones; `{}` heals it. */
  trouble(trouble: LineTrouble): void {
    this.#trouble = trouble;
    for (const { toServer, toClient } of this.#links) {
      toServer.check();
      toClient.check();
    }
  }

  /** Resets every connection that is open, or those to one upstream port. */
  reset(port?: number): void {
    for (const link of this.#of(port)) this.#cut(link);
  }

  /** Makes the connections that are open now silent for good; those that are begun later are not. Half-open connections are made so. */
  freeze(): void {
    for (const link of this.#links) link.frozen = true;
  }

  /** Closes every connection in order on both sides, as a load balancer does with those that idle. */
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
    const upstream = this.#trouble.refuse === true ? undefined : this.#choose();
    if (upstream === undefined) {
      client.on('error', () => {}); // it is gone in any case
      client.resetAndDestroy();
      return;
    }
    const { host = '127.0.0.1', port } = upstream;
    const server = connect({ host, port, allowHalfOpen: true, noDelay: true });
    const cut = (): void => this.#cut(link);
    const suffers = (way: 'toServer' | 'toClient'): Trouble =>
      link.frozen ? { silent: true } : (this.#trouble[way] ?? {});
    const link: Link = {
      frozen: false,
      upstream,
      client,
      server,
      toServer: new Direction(client, server, () => suffers('toServer'), cut),
      toClient: new Direction(server, client, () => suffers('toClient'), cut),
    };
    this.#links.add(link);
    // What ends badly on one side ends badly on the other, unless nobody may hear of it.
    client.on('error', () => this.#broken(link, 'toServer'));
    server.on('error', () => this.#broken(link, 'toClient'));
    for (const socket of [client, server]) socket.on('close', () => this.#closed(link));
    link.toServer.check();
    link.toClient.check();
  }

  #broken(link: Link, heardBy: 'toServer' | 'toClient'): void {
    if (!link.frozen && this.#trouble[heardBy]?.silent !== true) this.#cut(link);
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
