/** `trafficPolicy` of DestinationRules: how clients connect. */
import type { PolicyRef } from '@meshrelay/api';
import {
  type ConnectionPoolView,
  type ConnectionView,
  type MtlsMode,
  type OutlierDetectionView,
  rememberedUntilRest,
  type Sourced,
  type TcpKeepaliveView,
} from '@meshrelay/relay-core';
import { duration, present } from '../present.ts';

export const TLS_MODES: Readonly<Record<MtlsMode, string>> = {
  DISABLE: 'DISABLE',
  SIMPLE: 'SIMPLE',
  MUTUAL: 'ISTIO_MUTUAL',
};

/** The very object for all destinations with the same settings. */
export const trafficPolicy: (view: ConnectionView) => Record<string, unknown> = rememberedUntilRest(
  ({ mtls, outlierDetection, pool }) =>
    present({
      tls: mtls === undefined ? undefined : { mode: TLS_MODES[mtls.value] },
      outlierDetection: outlierDetection === undefined ? undefined : outliers(outlierDetection.value),
      connectionPool: pool === undefined ? undefined : connectionPool(pool.value),
    }),
);

/** The policies behind connection settings and subsets. */
export function connectionPolicies(
  connection: ConnectionView,
  subsets: ReadonlyArray<Sourced<unknown>>,
): readonly PolicyRef[] {
  return subsets.length === 0
    ? policiesBehind(connection)
    : [...policiesBehind(connection), ...subsets.flatMap(({ from }) => from)];
}

const policiesBehind = rememberedUntilRest((connection: ConnectionView): readonly PolicyRef[] =>
  Object.values(connection as Record<string, Sourced<unknown>>).flatMap(({ from }) => from),
);

export function outliers(view: OutlierDetectionView): Record<string, unknown> {
  return {
    consecutive5xxErrors: view.consecutiveErrors,
    interval: duration(view.intervalMs),
    baseEjectionTime: duration(view.baseEjectionTimeMs),
    maxEjectionPercent: view.maxEjectionPercent,
  };
}

export function connectionPool(view: ConnectionPoolView): Record<string, unknown> {
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
