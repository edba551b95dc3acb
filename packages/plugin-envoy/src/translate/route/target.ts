/** The targets of a route's requests. */
import type { route } from '@meshrelay/envoy-api';
import type { RouteTarget } from '@meshrelay/relay-core';
import { clusterName, virtualClusterName } from '../cluster/names.ts';

/** All requests to one cluster. */
export function only(cluster: string): route.RouteAction['clusterSpecifier'] {
  return { case: 'cluster', value: cluster };
}

/** The cluster of a target. */
export function clusterOf({ hostname, port, subset, virtual }: Omit<RouteTarget, 'weight' | 'headers'>): string {
  return virtual === true ? virtualClusterName(hostname, port) : clusterName(hostname, port, subset?.name);
}
