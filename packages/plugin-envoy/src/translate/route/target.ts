/** Where the requests of a route go. */
import { create, route } from '@meshrelay/envoy-api';
import type { MirrorView, RouteTarget } from '@meshrelay/relay-core';
import { clusterName, virtualClusterName } from '../cluster/names.ts';
import { runtimeShare } from '../messages.ts';
import { headerParts } from './headers.ts';

type Specifier = route.RouteAction['clusterSpecifier'];

/** All to one cluster. */
export function only(cluster: string): Specifier {
  return { case: 'cluster', value: cluster };
}

/** Shares to several. */
export function weighted(targets: readonly RouteTarget[]): Specifier {
  const [first] = targets;
  if (targets.length === 1 && first !== undefined && first.headers === undefined) return only(clusterOf(first));
  return {
    case: 'weightedClusters',
    value: create(route.WeightedClusterSchema, {
      clusters: targets.map((target) => ({
        name: clusterOf(target),
        weight: target.weight,
        ...(target.headers === undefined ? {} : headerParts(target.headers)),
      })),
    }),
  };
}

/** Copies, whose answers nobody waits for. */
export function mirror({ target, percentage }: MirrorView): route.RouteAction_RequestMirrorPolicy {
  return create(route.RouteAction_RequestMirrorPolicySchema, {
    cluster: clusterOf(target),
    runtimeFraction: runtimeShare(percentage),
  });
}

function clusterOf({ hostname, port, subset, virtual }: Omit<RouteTarget, 'weight' | 'headers'>): string {
  return virtual === true ? virtualClusterName(hostname, port) : clusterName(hostname, port, subset?.name);
}
