/** Limits of connections and requests to a cluster. */
import { cluster, create, httpUpstream, pack } from '@meshrelay/envoy-api';
import type { ConnectionPoolView, FieldRows, TcpKeepaliveView } from '@meshrelay/plugin';
import type { PortTransport } from '../cluster/port-transport.ts';
import { duration } from '../messages.ts';

export const CONNECTION_POOL: FieldRows<'connectionPool'> = {
  'connection.pool': 'native',
  'connection.pool.tcpKeepalive': 'native',
  'connection.pool.idleTimeout': 'native',
};

export function circuitBreakers({
  maxConnections,
  http1MaxPendingRequests,
  http2MaxRequests,
}: ConnectionPoolView): Partial<Pick<cluster.Cluster, 'circuitBreakers'>> {
  if (maxConnections === undefined && http1MaxPendingRequests === undefined && http2MaxRequests === undefined)
    return {};
  return {
    circuitBreakers: create(cluster.CircuitBreakersSchema, {
      thresholds: [
        {
          ...(maxConnections === undefined ? {} : { maxConnections }),
          ...(http1MaxPendingRequests === undefined ? {} : { maxPendingRequests: http1MaxPendingRequests }),
          ...(http2MaxRequests === undefined ? {} : { maxRequests: http2MaxRequests }),
        },
      ],
    }),
  };
}

export function connectionOptions({ probes, timeMs, intervalMs }: TcpKeepaliveView): cluster.UpstreamConnectionOptions {
  return create(cluster.UpstreamConnectionOptionsSchema, {
    tcpKeepalive: {
      ...(probes === undefined ? {} : { keepaliveProbes: probes }),
      ...(timeMs === undefined ? {} : { keepaliveTime: seconds(timeMs) }),
      ...(intervalMs === undefined ? {} : { keepaliveInterval: seconds(intervalMs) }),
    },
  });
}

/** Whole seconds, at least one. */
function seconds(ms: number): number {
  return Math.max(1, Math.round(ms / 1000));
}

export function protocolOptions(
  { maxRequestsPerConnection, idleTimeoutMs }: ConnectionPoolView,
  portTransport: Exclude<PortTransport, 'bytes'>,
): cluster.Cluster['typedExtensionProtocolOptions'] {
  const options = pack(httpUpstream.HttpProtocolOptionsSchema, {
    ...(maxRequestsPerConnection === undefined && idleTimeoutMs === undefined
      ? {}
      : {
          commonHttpProtocolOptions: {
            ...(maxRequestsPerConnection === undefined ? {} : { maxRequestsPerConnection }),
            ...(idleTimeoutMs === undefined ? {} : { idleTimeout: duration(idleTimeoutMs) }),
          },
        }),
    upstreamProtocolOptions: {
      case: 'explicitHttpConfig',
      value: {
        protocolConfig:
          portTransport === 'http2'
            ? { case: 'http2ProtocolOptions', value: {} }
            : { case: 'httpProtocolOptions', value: {} },
      },
    },
  });
  return { 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': options };
}
