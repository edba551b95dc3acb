/**
 * Watches connections from the first packet, where grpc-js does not: limits, slow handshakes, floods of frames, idle
 * peers.
 */
import { constants, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import type { Server } from '@grpc/grpc-js';
import { type Keepalive, SERVER_KEEPALIVE } from './channel-options.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { EventRate } from './event-rate.ts';
import type { PeerLog } from './peer-log.ts';
import { PingWatch } from './ping-watch.ts';
import { Presence } from './presence.ts';
import { SharedInterval } from './rounds.ts';
import { listenersOf } from './server-internals.ts';
import { bytesOf } from './session-bytes.ts';
import { type UnprovedConnection, UnprovedConnections } from './unproved-connections.ts';

/** Why a connection was ended; also the label of a metric. */
export type GuardReason =
  | 'connections'
  | 'unverified'
  | 'handshake-timeout'
  | 'proof-timeout'
  | 'calls'
  | 'pings'
  | 'settings';

interface Connection extends UnprovedConnection {
  readonly socket: Socket;
  timer: NodeJS.Timeout;
  session?: ServerHttp2Session;
}

export interface GuardOptions {
  readonly limits: ConnectionLimits;
  /** Default: SERVER_KEEPALIVE. */
  readonly keepalive?: Keepalive | undefined;
  readonly log: PeerLog;
  /** Called for each connection that the guard ends. */
  readonly onRefused?: ((reason: GuardReason) => void) | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export class ConnectionGuard {
  readonly #limits: ConnectionLimits;
  readonly #options: GuardOptions;
  readonly #now: () => number;
  readonly #rounds: SharedInterval;
  readonly #all = new Map<string, Connection>();
  readonly #unverified: UnprovedConnections<Connection>;
  /** Rejected sessions, or sockets without one, that may still send until they are closed. */
  readonly #ending = new WeakSet<object>();

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#limits = options.limits;
    this.#now = options.now;
    this.#unverified = new UnprovedConnections(this.#limits.unverified);
    this.#rounds = new SharedInterval(this.#limits.window, { holds: false });
  }

  /** Starts watching the addresses that a server is bound to. */
  watch(server: Server): void {
    for (const listener of listenersOf(server)) {
      listener.prependListener('connection', (socket: Socket) => this.#connected(socket));
      listener.on('session', (session: ServerHttp2Session) => this.#speaks(session));
    }
  }

  /** Number of open connections, and of those without an authenticated caller. */
  get counts(): { readonly connections: number; readonly unverified: number } {
    return { connections: this.#all.size, unverified: this.#unverified.size };
  }

  /** The caller on this connection is authenticated. */
  proved(peer: string): void {
    const connection = this.#unverified.get(peer);
    if (connection === undefined) return;
    clearTimeout(connection.timer);
    this.#unverified.delete(connection);
  }

  /** Closes every connection at once. */
  endAll(): void {
    for (const { socket } of this.#all.values()) socket.destroy();
  }

  #connected(socket: Socket): void {
    // A connection that was reset before it was accepted has no address.
    if (socket.remoteAddress === undefined) return;
    const peer = addressOf(socket);
    if (this.#all.size >= this.#limits.connections) {
      this.#refuse({ peer, socket }, 'connections');
      return;
    }
    if (!this.#makeRoom(peer)) {
      this.#refuse({ peer, socket }, 'unverified');
      return;
    }
    const connection: Connection = { peer, socket, since: this.#now(), timer: this.#after('handshake', peer) };
    this.#all.set(peer, connection);
    this.#unverified.add(connection);
    socket.once('close', () => this.#forget(connection));
  }

  /** Another connection may have the same address and port by now. */
  #forget(connection: Connection): void {
    const { peer } = connection;
    clearTimeout(connection.timer);
    if (this.#all.get(peer) === connection) this.#all.delete(peer);
    this.#unverified.delete(connection);
  }

  /** @returns whether one more unauthenticated connection from this address and port is admitted */
  #makeRoom(peer: string): boolean {
    if (!this.#unverified.isFull) return true;
    const ended = this.#unverified.makingWayFor(peer, this.#now());
    if (ended === undefined) return false;
    this.#refuse(ended, 'unverified');
    this.#forget(ended);
    return true;
  }

  #speaks(session: ServerHttp2Session): void {
    const { calls, settings, window, headerBytes } = this.#limits;
    session.settings({ maxHeaderListSize: headerBytes });
    const peer = addressOf(session.socket as Socket);
    const connection = this.#all.get(peer);
    if (connection !== undefined) {
      connection.session = session;
      clearTimeout(connection.timer);
      if (this.#unverified.has(peer)) connection.timer = this.#after('proof', peer);
    }
    const [opened, changes] = [new EventRate(calls, window), new EventRate(settings, window)];
    const socket = session.socket as Socket;
    const refuse = (reason: GuardReason): void => this.#refuse({ peer, socket, session }, reason);
    session.on('stream', () => opened.exceeds(this.#now()) && refuse('calls'));
    session.on('remoteSettings', () => changes.exceeds(this.#now()) && refuse('settings'));
    this.#watchBytes(session, peer, () => refuse('pings'));
  }

  /** Reads the byte count once for both: with a thousand idle agents, this read is a large part of the work. */
  #watchBytes(session: ServerHttp2Session, peer: string, flooded: () => void): void {
    const { keepalive = SERVER_KEEPALIVE } = this.#options;
    const { pings, window } = this.#limits;
    const bytes = bytesOf(session);
    const presence = new Presence(session, bytes(), keepalive);
    const watch = new PingWatch({ session, bytes: bytes(), pings, window, now: this.#now, flooded });
    const leave = this.#rounds.join(() => {
      const came = bytes();
      presence.check(came);
      // Pings of unauthenticated callers are always checked.
      if (!this.#unverified.has(peer)) watch.check(came);
    });
    session.once('close', () => {
      leave();
      presence.end();
    });
  }

  #after(limit: 'handshake' | 'proof', peer: string): NodeJS.Timeout {
    const late = (): void => {
      const connection = this.#unverified.get(peer);
      if (connection === undefined) return;
      this.#refuse(connection, `${limit}-timeout`);
      // A socket that was destroyed in its handshake does not always emit `close`.
      this.#forget(connection);
    };
    return setTimeout(late, this.#limits[limit]).unref();
  }

  #refuse({ peer, socket, session }: Pick<Connection, 'peer' | 'socket' | 'session'>, reason: GuardReason): void {
    // The socket of a closed session cannot be accessed.
    if (this.#ending.has(session ?? socket) || session?.destroyed === true || socket.destroyed) return;
    this.#ending.add(session ?? socket);
    const { log, onRefused } = this.#options;
    onRefused?.(reason);
    log.warn(peer, { reason: WORDS[reason] }, 'connection ended');
    // Deno crashes when a session is ended from within one of its own events.
    if (session === undefined) socket.destroy();
    else setImmediate(() => session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM));
  }
}

const WORDS: Readonly<Record<GuardReason, string>> = {
  connections: 'this server has its maximum of connections',
  unverified: 'too many connections without an authenticated client',
  'handshake-timeout': 'the TLS handshake took too long',
  'proof-timeout': 'no authenticated call arrived in time',
  calls: 'it opened calls faster than any agent does',
  pings: 'it sent pings faster than any agent does',
  settings: 'it changed its settings faster than any agent does',
};

/** Address and port, formatted like a call's peer in grpc-js. */
export function addressOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress}:${remotePort}`;
}
