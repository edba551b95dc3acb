/** Probes of what is done with requests. */
import type { PolicySpec } from '../../fleet/policy-object.ts';
import { access, PROBE_NAME, type Probe, type Probes, traffic, virtualDestination, virtualMesh } from '../probe.ts';

const rules = (policy: object): PolicySpec => traffic({ policy });
const does = (policy: object): Probe => ({ asks: [rules(policy)] });

/** A limit beside another of the same rate, which is in force where the rest of the limit is not. */
const limited = (more: object, refused: Probe['refused']): Probe => {
  const localRateLimit = { requestsPerUnit: 10, unit: 'SECOND' };
  const without = [rules({ localRateLimit })];
  return { asks: [rules({ localRateLimit: { ...localRateLimit, ...more } })], without, refused: refused ?? without };
};

const NEW_BOOKS = { name: 'new-books', namespace: 'shop', clusterName: 'cluster-1' };
const shift = (kubeService: object, more: object = {}): PolicySpec =>
  rules({ trafficShift: { destinations: [{ weight: 100, kubeService, ...more }] } });

// Some meshes retry for each caller they know of, so that there is one.
const callers = access({});
const federated = virtualMesh({ federation: { mode: 'ALL' } });

export const ROUTE_PROBES: Probes<'route'> = {
  'route.shift': { asks: [shift(NEW_BOOKS)] },
  'route.shift.subset': {
    asks: [shift({ ...NEW_BOOKS, subset: { version: 'v2' } })],
    without: [shift(NEW_BOOKS)],
    refused: [],
  },
  'route.shift.cluster': {
    // Only for callers of its own cluster: to the others the goal is not in another cluster.
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
    asks: [shift(NEW_BOOKS, { options: { headerManipulation: { appendRequestHeaders: { 'x-shelf': 'new' } } } })],
    without: [shift(NEW_BOOKS)],
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
  'route.timeout': does({ requestTimeout: '3s' }),
  'route.retries': { asks: [callers, rules({ retries: { attempts: 2 } })], without: [callers] },
  'route.retries.retryOn': {
    asks: [callers, rules({ retries: { attempts: 2, retryOn: ['gateway-error'] } })],
    without: [callers, rules({ retries: { attempts: 2 } })],
    refused: [callers],
  },
  'route.retries.statusCodes': {
    asks: [callers, rules({ retries: { attempts: 2, retryOn: ['gateway-error', '429'] } })],
    without: [callers, rules({ retries: { attempts: 2, retryOn: ['gateway-error'] } })],
  },
  'route.retries.remoteLocalities': {
    asks: [callers, rules({ retries: { attempts: 2, retryRemoteLocalities: true } })],
    without: [callers, rules({ retries: { attempts: 2 } })],
  },
  'route.fault': does({ faultInjection: { fixedDelay: '2s', percentage: 50 } }),
  'route.cors': does({ corsPolicy: { allowOrigins: [{ exact: 'https://shop.example' }] } }),
  'route.mirror': does({ mirror: { kubeService: NEW_BOOKS } }),
  'route.headers': does({ headerManipulation: { appendRequestHeaders: { 'x-shelf': 'new' } } }),
  'route.csrf': does({ csrf: { filterEnabled: true } }),
  'route.localRateLimit': does({ localRateLimit: { requestsPerUnit: 10, unit: 'SECOND' } }),
  'route.localRateLimit.perDay': limited({ unit: 'DAY' }, []),
  'route.localRateLimit.burstBelowRate': limited({ burst: 5 }, undefined),
};
