/** Envoy clusters of the targets of a route. */
import type { route } from '@meshrelay/envoy-api';
import type { RouteTarget } from '@meshrelay/plugin';
import { clusterName, virtualClusterName } from '../cluster/names.ts';

/** Sends all requests of a route to one cluster, without weights. */
export function singleCluster(cluster: string): route.RouteAction['clusterSpecifier'] {
  return { case: 'cluster', value: cluster };
}

/** The name of the Envoy cluster that receives the requests to a target. */
export function clusterOfTarget({ hostname, port, subset, virtual }: Omit<RouteTarget, 'weight' | 'headers'>): string {
  return virtual === true ? virtualClusterName(hostname, port) : clusterName(hostname, port, subset?.name);
}
