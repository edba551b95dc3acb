/** How a cluster's connections are made, limited, and given up on. */
import type { cluster } from '@meshrelay/envoy-api';
import type { ConnectionView, TcpKeepaliveView } from '@meshrelay/relay-core';
import { duration } from '../messages.ts';
import { circuitBreakers, connectionOptions, protocolOptions } from '../traffic/connection-pool.ts';
import { outliers } from '../traffic/outlier-detection.ts';
import type { PortTransport } from './port-transport.ts';

/** Of a second: what is dead must be found out soon, and Envoy's own default is five. */
const CONNECT_TIMEOUT_MS = 1000;

/** What of a cluster settings decide. */
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

/** @param keepalive where the settings have none of their own */
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
