import type { ConnectionPool } from '@meshrelay/api';
import type { Probe } from '../probe.ts';
import { probe, rules, type TrafficFieldSamples } from './field.ts';

/** With a limit of connections, which applies in both cases. */
function also({ tcp = {}, http = {} }: ConnectionPool): Probe {
  return {
    asks: [rules({ connectionPool: { tcp: { maxConnections: 10, ...tcp }, http } })],
    without: [rules({ connectionPool: { tcp: { maxConnections: 10 } } })],
  };
}

const TCP = { maxConnections: 11, connectTimeout: '4s' };
const HTTP = { http1MaxPendingRequests: 12, http2MaxRequests: 13, maxRequestsPerConnection: 14 };

export const connectionPool: TrafficFieldSamples<'connectionPool'> = {
  probes: {
    'connection.pool': probe({ connectionPool: { tcp: { maxConnections: 10 } } }),
    'connection.pool.tcpKeepalive': also({ tcp: { tcpKeepalive: { time: '77s' } } }),
    'connection.pool.idleTimeout': also({ http: { idleTimeout: '77s' } }),
  },
  values: () => [
    { tcp: TCP, http: HTTP },
    {
      tcp: { ...TCP, tcpKeepalive: { probes: 4, time: '50s', interval: '5s' } },
      http: { ...HTTP, idleTimeout: '70s' },
    },
  ],
  conflict: [{ tcp: { maxConnections: 11 } }, { tcp: { maxConnections: 12 } }],
};
