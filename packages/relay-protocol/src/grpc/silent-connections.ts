/**
 * Logs connections that end without a request. grpc-js does not report them, and an operator who registers a cluster
 * needs them.
 */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Server } from '@grpc/grpc-js';
import type { Logger } from '../logger.ts';
import { addressOf } from './connection-guard.ts';
import type { PeerLog } from './peer-log.ts';
import { listenersOf } from './server-internals.ts';

/** The used part of an HTTP/2 session. */
interface Session extends EventEmitter {
  readonly socket: Peer;
}
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

const NO_REQUEST =
  "the client closed it after it saw this server's certificate; if that repeats, it has another root CA or expects another name";

/**
 * Logs them from now on. A client that does not trust the server's certificate closes the connection without a reason.
 * Connections without any data are probes, logged for debugging only.
 */
export function logSilentConnections(server: Server, logger: Logger, log: PeerLog): void {
  const requested = new Set<string>();
  for (const listener of listenersOf(server)) {
    listener.on('session', (session: Session) => {
      const peer = addressOf(session.socket);
      session.once('stream', () => requested.add(peer));
    });
    listener.on('connection', (socket: Socket) => {
      const peer = addressOf(socket);
      socket.once('close', () => {
        if (requested.delete(peer)) return;
        if (socket.bytesRead > 0) log.warn(peer, { reason: NO_REQUEST }, 'connection ended without a request');
        else logger.debug({ peer }, 'connection ended without data');
      });
    });
  }
}
