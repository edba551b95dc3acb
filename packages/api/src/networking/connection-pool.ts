// Limits on the connections a client keeps to a destination.
import type { TcpKeepalive } from '../shared/tcp-keepalive.ts';

/** Limits that hold for any protocol. */
export interface TcpConnectionPool {
  readonly maxConnections?: number;
  /** Go-style duration. */
  readonly connectTimeout?: string;
  readonly tcpKeepalive?: TcpKeepalive;
}

/** Limits that hold for HTTP. */
export interface HttpConnectionPool {
  /** HTTP/1.1 requests that may wait for a connection. */
  readonly http1MaxPendingRequests?: number;
  /** Requests in flight. */
  readonly http2MaxRequests?: number;
  /** Requests after which a connection is closed. */
  readonly maxRequestsPerConnection?: number;
  /** Go-style duration without requests after which a connection is closed. */
  readonly idleTimeout?: string;
}

/** An omitted limit is the mesh's own. */
export interface ConnectionPool {
  readonly tcp?: TcpConnectionPool;
  readonly http?: HttpConnectionPool;
}
