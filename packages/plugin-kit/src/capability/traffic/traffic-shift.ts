import type { TrafficShift } from '@meshrelay/api';
import type { PolicySpec } from '../../fleet/policy-object.ts';
import { PROBE_NAME, traffic, virtualDestination, virtualMesh } from '../probe.ts';
import { NEW_BOOKS, rules, type TrafficFieldSamples } from './field.ts';

const shift = (more: object, options: object = {}): PolicySpec =>
  rules({ trafficShift: { destinations: [{ weight: 100, kubeService: { ...NEW_BOOKS, ...more }, ...options }] } });
const federated = virtualMesh({ federation: { mode: 'ALL' } });

/** One destination and all of them are already sampled, so this uses two. */
function shared(name: string, weight: number): TrafficShift {
  return {
    destinations: [
      { weight, kubeService: { ...NEW_BOOKS, name } },
      { weight: 100 - weight, kubeService: NEW_BOOKS },
    ],
  };
}

export const trafficShift: TrafficFieldSamples<'trafficShift'> = {
  probes: {
    'route.shift': { asks: [shift({})] },
    'route.shift.subset': {
      asks: [shift({ subset: { version: 'v2' } })],
      without: [shift({})],
      refused: [],
    },
    'route.shift.cluster': {
      // Only for callers of its own cluster: for the others the destination is not in another cluster.
      asks: [
        federated,
        traffic({
          sourceSelector: [{ kubeWorkloadMatcher: { clusters: ['cluster-1'] } }],
          policy: {
            trafficShift: { destinations: [{ weight: 100, kubeService: { ...NEW_BOOKS, clusterName: 'cluster-2' } }] },
          },
        }),
      ],
      without: [federated],
    },
    'route.shift.headers': {
      asks: [shift({}, { options: { headerManipulation: { appendRequestHeaders: { 'x-shelf': 'new' } } } })],
      without: [shift({})],
      refused: [],
    },
    'route.shift.virtualDestination': {
      asks: [
        virtualMesh({}),
        virtualDestination({}),
        rules({
          trafficShift: {
            destinations: [{ weight: 100, virtualDestination: { name: PROBE_NAME, namespace: 'meshrelay' } }],
          },
        }),
      ],
      without: [virtualMesh({}), virtualDestination({})],
    },
  },
  values: (name) => [shared(name, 40)],
  conflict: [shared('books', 63), shared('books', 64)],
};
