/** `trafficPolicy.connectionPool`. */
import type { ConnectionPoolView, TcpKeepaliveView } from '@meshrelay/plugin';
import { duration, present } from '../../present.ts';
import type { TrafficPolicyField } from './field.ts';

export const connectionPool: TrafficPolicyField<'connectionPool'> = {
  capabilities: {
    'connection.pool': 'native',
    'connection.pool.tcpKeepalive': 'native',
    'connection.pool.idleTimeout': 'native',
  },
  trafficPolicy: (view) => present({ connectionPool: poolLimits(view) }),
};

export function poolLimits(view: ConnectionPoolView): Record<string, unknown> {
  return present({
    tcp: present({
      maxConnections: view.maxConnections,
      connectTimeout: view.connectTimeoutMs === undefined ? undefined : duration(view.connectTimeoutMs),
      tcpKeepalive: view.tcpKeepalive === undefined ? undefined : keepalive(view.tcpKeepalive),
    }),
    http: present({
      http1MaxPendingRequests: view.http1MaxPendingRequests,
      http2MaxRequests: view.http2MaxRequests,
      maxRequestsPerConnection: view.maxRequestsPerConnection,
      idleTimeout: view.idleTimeoutMs === undefined ? undefined : duration(view.idleTimeoutMs),
    }),
  });
}

function keepalive({ probes, timeMs, intervalMs }: TcpKeepaliveView): Record<string, unknown> {
  return present({
    probes,
    time: timeMs === undefined ? undefined : duration(timeMs),
    interval: intervalMs === undefined ? undefined : duration(intervalMs),
  });
}
