/** Probes of how clients connect to a destination. */
import { type Probe, type Probes, traffic } from '../probe.ts';

const connects = (policy: object): Probe => ({ asks: [traffic({ policy })] });

/** Beside a limit of connections, which is in force either way. */
const also = ({ tcp = {}, http = {} }: { readonly tcp?: object; readonly http?: object }): Probe => ({
  asks: [traffic({ policy: { connectionPool: { tcp: { maxConnections: 10, ...tcp }, http } } })],
  without: [traffic({ policy: { connectionPool: { tcp: { maxConnections: 10 } } } })],
});

export const CONNECTION_PROBES: Probes<'connection'> = {
  'connection.mtls': connects({ mtls: { istio: { tlsMode: 'SIMPLE' } } }),
  'connection.outlierDetection': connects({ outlierDetection: { consecutiveErrors: 3 } }),
  'connection.pool': connects({ connectionPool: { tcp: { maxConnections: 10 } } }),
  'connection.pool.tcpKeepalive': also({ tcp: { tcpKeepalive: { time: '77s' } } }),
  'connection.pool.idleTimeout': also({ http: { idleTimeout: '77s' } }),
};
