/** spec.policy.connectionPool */
import type { ConnectionPool, TcpKeepalive } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import { defined, milliseconds } from '../values.ts';
import type { ConnectionField } from './field.ts';

export interface TcpKeepaliveView {
  readonly probes?: number;
  readonly timeMs?: number;
  readonly intervalMs?: number;
}

export interface ConnectionPoolView {
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  readonly tcpKeepalive?: TcpKeepaliveView;
  readonly http1MaxPendingRequests?: number;
  readonly http2MaxRequests?: number;
  readonly maxRequestsPerConnection?: number;
  readonly idleTimeoutMs?: number;
}

type PoolCapability = 'connection.pool' | 'connection.pool.tcpKeepalive' | 'connection.pool.idleTimeout';

export const connectionPool: ConnectionField<'connectionPool', 'pool', ConnectionPoolView, PoolCapability> = {
  scope: 'connections',
  viewName: 'pool',
  capabilities: {
    'connection.pool': 'spec.policy.connectionPool',
    'connection.pool.tcpKeepalive': 'spec.policy.connectionPool.tcp.tcpKeepalive',
    'connection.pool.idleTimeout': 'spec.policy.connectionPool.http.idleTimeout',
  },
  emptyIsUnset: true,
  view: memoizeUntilCompaction(({ tcp, http }: ConnectionPool) =>
    defined<ConnectionPoolView>({
      maxConnections: tcp?.maxConnections,
      connectTimeoutMs: milliseconds(tcp?.connectTimeout),
      tcpKeepalive: tcp?.tcpKeepalive === undefined ? undefined : keepaliveView(tcp.tcpKeepalive),
      http1MaxPendingRequests: http?.http1MaxPendingRequests,
      http2MaxRequests: http?.http2MaxRequests,
      maxRequestsPerConnection: http?.maxRequestsPerConnection,
      idleTimeoutMs: milliseconds(http?.idleTimeout),
    }),
  ),
  requires: () => ['connection.pool'],
  reduce: (view, supports) => {
    const { tcpKeepalive, idleTimeoutMs, ...limits } = view;
    const keepalive = tcpKeepalive !== undefined && supports('connection.pool.tcpKeepalive');
    const idleTimeout = idleTimeoutMs !== undefined && supports('connection.pool.idleTimeout');
    const reduced = { ...limits, ...(keepalive ? { tcpKeepalive } : {}), ...(idleTimeout ? { idleTimeoutMs } : {}) };
    const left = Object.keys(reduced).length;
    if (left === Object.keys(view).length) return view;
    return left === 0 ? undefined : reduced;
  },
};

/** Of a policy's connection pool, or of a VirtualMesh's federation. */
export function keepaliveView({ probes, time, interval }: TcpKeepalive): TcpKeepaliveView {
  return defined<TcpKeepaliveView>({ probes, timeMs: milliseconds(time), intervalMs: milliseconds(interval) });
}
