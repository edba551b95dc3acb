/** Creation, limits and timeouts of a cluster's connections. */
import type { cluster } from '@meshrelay/envoy-api';
import type { ConnectionView, TcpKeepaliveView } from '@meshrelay/plugin';
import { duration } from '../messages.ts';
import { circuitBreakers, connectionOptions, protocolOptions } from '../traffic/connection-pool.ts';
import { outliers } from '../traffic/outlier-detection.ts';
import type { PortTransport } from './port-transport.ts';

/** Callers must detect a failed host quickly; Envoy's default is 5 seconds. */
const CONNECT_TIMEOUT_MS = 1000;

/** The fields of a cluster that settings determine. */
export type ConnectionParts = Partial<
  Pick<
    cluster.Cluster,
    | 'connectTimeout'
    | 'circuitBreakers'
    | 'outlierDetection'
    | 'upstreamConnectionOptions'
    | 'typedExtensionProtocolOptions'
  >
>;

/** @param keepalive default for settings without their own */
export function connectionParts(
  { pool, outlierDetection }: ConnectionView,
  portTransport: PortTransport,
  keepalive?: TcpKeepaliveView,
): ConnectionParts {
  const settings = pool?.value ?? {};
  const alive = settings.tcpKeepalive ?? keepalive;
  return {
    connectTimeout: duration(settings.connectTimeoutMs ?? CONNECT_TIMEOUT_MS),
    ...circuitBreakers(settings),
    ...(outlierDetection === undefined ? {} : { outlierDetection: outliers(outlierDetection.value) }),
    ...(alive === undefined ? {} : { upstreamConnectionOptions: connectionOptions(alive) }),
    ...(portTransport === 'bytes' ? {} : { typedExtensionProtocolOptions: protocolOptions(settings, portTransport) }),
  };
}
