/** Probes of how clients connect to a destination. */
import { type Probe, type Probes, traffic } from '../probe.ts';

const connects = (policy: object): Probe => ({ asks: [traffic({ policy })] });

export const CONNECTION_PROBES: Probes<'connection'> = {
  'connection.mtls': connects({ mtls: { istio: { tlsMode: 'SIMPLE' } } }),
  'connection.outlierDetection': connects({ outlierDetection: { consecutiveErrors: 3 } }),
  'connection.pool': connects({ connectionPool: { tcp: { maxConnections: 10 } } }),
};
