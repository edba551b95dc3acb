/** How a cluster's connections are made, limited, and given up on. */
import { cluster, create, httpUpstream, pack } from '@meshrelay/envoy-api';
import type { ConnectionPoolView, ConnectionView, OutlierDetectionView, TcpKeepaliveView } from '@meshrelay/relay-core';
import { duration } from '../messages.ts';
import type { Carriage } from './carriage.ts';

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
  carriage: Carriage,
  keepalive?: TcpKeepaliveView,
): ConnectionParts {
  const settings = pool?.value ?? {};
  const alive = settings.tcpKeepalive ?? keepalive;
  return {
    connectTimeout: duration(settings.connectTimeoutMs ?? CONNECT_TIMEOUT_MS),
    ...circuitBreakers(settings),
    ...(outlierDetection === undefined ? {} : { outlierDetection: outliers(outlierDetection.value) }),
    ...(alive === undefined ? {} : { upstreamConnectionOptions: connectionOptions(alive) }),
    ...(carriage === 'bytes' ? {} : { typedExtensionProtocolOptions: protocolOptions(settings, carriage) }),
  };
}

/** Ejects what fails, all of it where all fails: another level of failover is told by that. */
export function outliers(view: OutlierDetectionView): cluster.OutlierDetection {
  return create(cluster.OutlierDetectionSchema, {
    consecutive5xx: view.consecutiveErrors,
    consecutiveGatewayFailure: view.consecutiveErrors,
    enforcingConsecutiveGatewayFailure: 100,
    interval: duration(view.intervalMs),
    baseEjectionTime: duration(view.baseEjectionTimeMs),
    maxEjectionPercent: view.maxEjectionPercent,
    // Judges single hosts by all others, which nobody asked for.
    enforcingSuccessRate: 0,
  });
}

function circuitBreakers({
  maxConnections,
  http1MaxPendingRequests,
  http2MaxRequests,
}: ConnectionPoolView): ConnectionParts {
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

function connectionOptions({ probes, timeMs, intervalMs }: TcpKeepaliveView): cluster.UpstreamConnectionOptions {
  return create(cluster.UpstreamConnectionOptionsSchema, {
    tcpKeepalive: {
      ...(probes === undefined ? {} : { keepaliveProbes: probes }),
      ...(timeMs === undefined ? {} : { keepaliveTime: seconds(timeMs) }),
      ...(intervalMs === undefined ? {} : { keepaliveInterval: seconds(intervalMs) }),
    },
  });
}

/** Whole ones, of which there is at least one. */
function seconds(ms: number): number {
  return Math.max(1, Math.round(ms / 1000));
}

function protocolOptions(
  { maxRequestsPerConnection, idleTimeoutMs }: ConnectionPoolView,
  carriage: Exclude<Carriage, 'bytes'>,
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
          carriage === 'http2'
            ? { case: 'http2ProtocolOptions', value: {} }
            : { case: 'httpProtocolOptions', value: {} },
      },
    },
  });
  return { 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': options };
}
