/** Weights of requests for several clusters. */
import { create, route } from '@meshrelay/envoy-api';
import type { RouteTarget } from '@meshrelay/plugin';
import { clusterOfTarget, singleCluster } from '../route/target.ts';
import type { RouteField } from './field.ts';
import { headerParts } from './header-manipulation.ts';

export const trafficShift: RouteField<'trafficShift'> = {
  capabilities: {
    'route.shift': 'native',
    'route.shift.subset': 'native',
    'route.shift.cluster': 'native',
    'route.shift.headers': 'native',
    'route.shift.virtualDestination': 'native',
  },
  routeAction: (targets) => ({ clusterSpecifier: weighted(targets) }),
};

function weighted(targets: readonly RouteTarget[]): route.RouteAction['clusterSpecifier'] {
  const [first] = targets;
  if (targets.length === 1 && first !== undefined && first.headers === undefined)
    return singleCluster(clusterOfTarget(first));
  return {
    case: 'weightedClusters',
    value: create(route.WeightedClusterSchema, {
      clusters: targets.map((target) => ({
        name: clusterOfTarget(target),
        weight: target.weight,
        ...(target.headers === undefined ? {} : headerParts(target.headers)),
      })),
    }),
  };
}
