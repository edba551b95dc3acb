/** spec.policy.connectionPool */

import type { ConnectionPool, TcpKeepalive } from '@meshrelay/api';
import { type ConnectionPoolView, memoizeUntilCompaction, type TcpKeepaliveView } from '@meshrelay/plugin';
import { defined, milliseconds } from '../values.ts';
import type { TrafficField } from './field.ts';

export const connectionPool: TrafficField<'connectionPool'> = {
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
