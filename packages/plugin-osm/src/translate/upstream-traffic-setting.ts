/** UpstreamTrafficSettings: limits for connections and requests to a Service. */
import type { DestinationView, Output, PolicyRef } from '@meshrelay/plugin';
import { osmObject, UPSTREAM_TRAFFIC_SETTING } from '../kinds.ts';
import { serviceName } from '../names.ts';
import { present } from '../present.ts';
import { connectionSettings } from './traffic/connection-pool.ts';
import { rateLimit } from './traffic/local-rate-limit.ts';

export function upstreamTrafficSetting({ destination, routes, connection }: DestinationView, out: Output): void {
  const { cluster, namespace, name } = destination;
  const limit = routes.find(({ actions }) => actions.localRateLimit !== undefined)?.actions.localRateLimit;
  const settings = present({
    connectionSettings: connection.pool === undefined ? undefined : connectionSettings(connection.pool.value),
    rateLimit: limit === undefined ? undefined : rateLimit(limit.value),
  });
  if (Object.keys(settings).length === 0) return;
  const spec = { host: hostOf(name, namespace), ...settings };
  const sourcePolicies: PolicyRef[] = [...(connection.pool?.from ?? []), ...(limit?.from ?? [])];
  out.emit(cluster, osmObject(UPSTREAM_TRAFFIC_SETTING, namespace, serviceName(name), spec), sourcePolicies);
}

/** OSM looks a Service's settings up by exactly this name, whatever the DNS domain of the cluster. */
function hostOf(name: string, namespace: string): string {
  return `${name}.${namespace}.svc.cluster.local`;
}
