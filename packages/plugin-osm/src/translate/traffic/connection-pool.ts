/** `connectionSettings` of an UpstreamTrafficSetting. */
import type { ConnectionPoolView, FieldRows } from '@meshrelay/plugin';
import { duration, present } from '../../present.ts';

const NO_SETTING = { unsupported: 'OSM has no setting for it; other limits of the connection pool apply' };

export const CONNECTION_POOL: FieldRows<'connectionPool'> = {
  'connection.pool': 'native',
  'connection.pool.tcpKeepalive': NO_SETTING,
  'connection.pool.idleTimeout': NO_SETTING,
};

export function connectionSettings(pool: ConnectionPoolView): Record<string, unknown> {
  return present({
    tcp: present({
      maxConnections: pool.maxConnections,
      connectTimeout: pool.connectTimeoutMs === undefined ? undefined : duration(pool.connectTimeoutMs),
    }),
    http: present({
      maxRequests: pool.http2MaxRequests,
      maxPendingRequests: pool.http1MaxPendingRequests,
      maxRequestsPerConnection: pool.maxRequestsPerConnection,
    }),
  });
}
