/** UpstreamTrafficSettings: the limits of connections and requests to a Service. */
import type { PolicyRef } from '@meshrelay/api';
import type { ConnectionPoolView, DestinationView, Output, RateLimitView, Sourced } from '@meshrelay/relay-core';
import { osmObject, UPSTREAM_TRAFFIC_SETTING } from '../kinds.ts';
import { serviceName } from '../names.ts';
import { duration, present } from '../present.ts';
import { fallShort } from '../reports.ts';

export function upstreamTrafficSetting({ destination, routes, connection }: DestinationView, out: Output): void {
  const { cluster, namespace, name } = destination;
  const limit = routes.find(({ actions }) => actions.localRateLimit !== undefined)?.actions.localRateLimit;
  const settings = present({
    connectionSettings: connection.pool === undefined ? undefined : connectionSettings(connection.pool, out),
    rateLimit: limit === undefined ? undefined : rateLimit(limit, out),
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

function connectionSettings({ value, from }: Sourced<ConnectionPoolView>, out: Output): Record<string, unknown> {
  const lost = [
    ...(value.tcpKeepalive === undefined ? [] : ['tcp.tcpKeepalive']),
    ...(value.idleTimeoutMs === undefined ? [] : ['http.idleTimeout']),
  ];
  const settings = present({
    tcp: present({
      maxConnections: value.maxConnections,
      connectTimeout: value.connectTimeoutMs === undefined ? undefined : duration(value.connectTimeoutMs),
    }),
    http: present({
      maxRequests: value.http2MaxRequests,
      maxPendingRequests: value.http1MaxPendingRequests,
      maxRequestsPerConnection: value.maxRequestsPerConnection,
    }),
  });
  const rest = Object.keys(settings).length === 0 ? 'leave it out' : 'the rest of the connection pool is in force';
  for (const field of lost) {
    fallShort(out, from, {
      code: 'UNSUPPORTED',
      field: `spec.policy.connectionPool.${field}`,
      message: `OSM has no setting for ${field}; ${rest}`,
    });
  }
  return settings;
}

const UNITS: Readonly<Record<string, string>> = { SECOND: 'second', MINUTE: 'minute', HOUR: 'hour' };
const FIELD = 'spec.policy.localRateLimit';

/** Ours is the most that is let in at once; OSM's burst is what is let in beyond the rate. */
function rateLimit({ value, from }: Sourced<RateLimitView>, out: Output): Record<string, unknown> | undefined {
  const { requestsPerUnit, unit, burst = requestsPerUnit } = value;
  const limitUnit = UNITS[unit];
  if (limitUnit === undefined) {
    const message = `OSM counts requests per second, minute or hour, not per ${unit.toLowerCase()}; there is no limit until the policy does too`;
    fallShort(out, from, { code: 'UNSUPPORTED', field: `${FIELD}.unit`, message });
    return undefined;
  }
  if (burst < requestsPerUnit) {
    const message = `OSM lets ${requestsPerUnit} requests in at once where ${requestsPerUnit} are allowed per ${limitUnit}, not ${burst}; leave the burst out, or give a lower rate per shorter unit`;
    fallShort(out, from, { code: 'UNSUPPORTED', field: `${FIELD}.burst`, message });
  }
  const beyond = burst - requestsPerUnit;
  const http = { requests: requestsPerUnit, unit: limitUnit, ...(beyond > 0 ? { burst: beyond } : {}) };
  return { local: { http } };
}
