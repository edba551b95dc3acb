// spec.policy.connectionPool: limits on a client's connections to a destination.
import type * as z from 'zod/mini';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { duration, integer } from '../../schema/scalar.ts';
import { type TcpKeepalive, tcpKeepalive } from '../../shared/tcp-keepalive.ts';

/** Limits for any protocol. */
export interface TcpConnectionPool {
  /** Concurrent connections. */
  readonly maxConnections?: number;
  /** Go-style duration. */
  readonly connectTimeout?: string;
  readonly tcpKeepalive?: TcpKeepalive;
}

/** Limits for HTTP. */
export interface HttpConnectionPool {
  /** HTTP/1.1 requests that may wait for a connection. */
  readonly http1MaxPendingRequests?: number;
  /** Concurrent requests. */
  readonly http2MaxRequests?: number;
  /** Requests after which a connection is closed. */
  readonly maxRequestsPerConnection?: number;
  /** Go-style duration without requests after which a connection is closed. */
  readonly idleTimeout?: string;
}

/** An omitted limit is the mesh's default. */
export interface ConnectionPool {
  readonly tcp?: TcpConnectionPool;
  readonly http?: HttpConnectionPool;
}

const tcpConnectionPool: z.ZodMiniType<TcpConnectionPool> = object<TcpConnectionPool>('TcpConnectionPool', {
  required: {},
  optional: { maxConnections: integer(1), connectTimeout: duration, tcpKeepalive },
});

const httpConnectionPool: z.ZodMiniType<HttpConnectionPool> = object<HttpConnectionPool>('HttpConnectionPool', {
  required: {},
  optional: {
    http1MaxPendingRequests: integer(1),
    http2MaxRequests: integer(1),
    maxRequestsPerConnection: integer(1),
    idleTimeout: duration,
  },
});

export const connectionPool: SpecField<ConnectionPool> = {
  schema: object<ConnectionPool>('ConnectionPool', {
    required: {},
    optional: { tcp: tcpConnectionPool, http: httpConnectionPool },
  }),
  examples: [
    {
      tcp: {
        maxConnections: 100,
        connectTimeout: '5s',
        tcpKeepalive: { probes: 3, time: '2h', interval: '75s' },
      },
      http: {
        http1MaxPendingRequests: 100,
        http2MaxRequests: 1000,
        maxRequestsPerConnection: 10_000,
        idleTimeout: '1h',
      },
    },
  ],
};
