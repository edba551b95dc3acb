/** UpstreamTrafficSettings: the limits of connections and requests to a Service. */
import type { PolicyRef } from '@meshrelay/api';
import type { ConnectionPoolView, DestinationView, Output, RateLimitView } from '@meshrelay/relay-core';
import { osmObject, UPSTREAM_TRAFFIC_SETTING } from '../kinds.ts';
import { serviceName } from '../names.ts';
import { duration, present } from '../present.ts';

export function upstreamTrafficSetting({ destination, routes, connection }: DestinationView, out: Output): void {
  const { cluster, namespace, name } = destination;
  const limit = routes.find(({ actions }) => actions.localRateLimit !== undefined)?.actions.localRateLimit;
  const settings = present({
    connectionSettings: connection.pool === undefined ? undefined : connectionSettings(connection.pool.value),
    rateLimit: limit === undefined ? undefined : rateLimit(limit.value),
  });
  if (Object.keys(settings).length === 0) return;
  const spec = { host: hostOf(name, namespace), ...settings };
  const because: PolicyRef[] = [...(connection.pool?.from ?? []), ...(limit?.from ?? [])];
  out.emit(cluster, osmObject(UPSTREAM_TRAFFIC_SETTING, namespace, serviceName(name), spec), because);
}

/** OSM looks a Service's settings up by this very name, whatever the DNS domain of the cluster. */
function hostOf(name: string, namespace: string): string {
  return `${name}.${namespace}.svc.cluster.local`;
}

function connectionSettings(pool: ConnectionPoolView): Record<string, unknown> {
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

/** Ours is the most that is let in at once; OSM's burst is what is let in beyond the rate. */
function rateLimit({ requestsPerUnit, unit, burst = requestsPerUnit }: RateLimitView): Record<string, unknown> {
  const beyond = burst - requestsPerUnit;
  const http = { requests: requestsPerUnit, unit: unit.toLowerCase(), ...(beyond > 0 ? { burst: beyond } : {}) };
  return { local: { http } };
}
