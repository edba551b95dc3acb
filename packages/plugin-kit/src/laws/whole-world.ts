/** A fleet in which every rule of a TrafficPolicy says all it can say, each of a destination of its own. */
import { bookshop, probePolicies } from '../capability/probe-fleet.ts';
import type { PolicySpec } from '../fleet/policy-object.ts';
import type { TestedPlugin } from '../tested-plugin.ts';
import type { LawWorld } from './law.ts';

const NEW_BOOKS = { name: 'new-books', namespace: 'shop', clusterName: 'cluster-1' };
const BUYER = { name: 'buyer', namespace: 'shop', clusterName: 'cluster-1' };

const HEADERS = {
  appendRequestHeaders: { 'x-shelf': 'new' },
  removeRequestHeaders: ['x-old'],
  appendResponseHeaders: { 'x-seen': 'yes' },
  removeResponseHeaders: ['server'],
};

/** What is between one goal and all of them is for tests of goals; here there are two. */
const shift = (name: string) => ({
  trafficShift: {
    destinations: [
      { weight: 60, kubeService: NEW_BOOKS },
      { weight: 40, kubeService: { ...NEW_BOOKS, name } },
    ],
  },
});

const RULES: ReadonlyArray<(name: string) => object> = [
  shift,
  () => ({ requestTimeout: '7s' }),
  // Where a part is not carried, core may take the whole away: what many meshes lack stands in a rule of its own.
  () => ({ retries: { attempts: 4, perTryTimeout: '2s' } }),
  () => ({ retries: { attempts: 4, perTryTimeout: '2s', retryOn: ['5xx', 'reset'] } }),
  () => ({ faultInjection: { fixedDelay: '3s', percentage: 10 } }),
  () => ({ faultInjection: { abort: { httpStatus: 503 }, percentage: 10 } }),
  () => ({
    corsPolicy: {
      allowOrigins: [{ exact: 'https://shop.example' }, { prefix: 'https://a.' }, { regex: 'https://.*[.]example' }],
      allowMethods: ['GET'],
      allowHeaders: ['x-reader'],
      exposeHeaders: ['x-seen'],
      maxAge: '60s',
      allowCredentials: true,
    },
  }),
  () => ({ mirror: { kubeService: NEW_BOOKS, percentage: 50 } }),
  () => ({ headerManipulation: HEADERS }),
  () => ({ csrf: { filterEnabled: true, percentage: 40, additionalOrigins: [{ exact: 'shop.example' }] } }),
  () => ({ localRateLimit: { requestsPerUnit: 30, unit: 'SECOND' } }),
  () => ({ localRateLimit: { requestsPerUnit: 30, unit: 'MINUTE', burst: 40 } }),
  () => ({
    outlierDetection: { consecutiveErrors: 6, interval: '20s', baseEjectionTime: '40s', maxEjectionPercent: 60 },
  }),
  () => ({
    connectionPool: {
      tcp: { maxConnections: 11, connectTimeout: '4s' },
      http: { http1MaxPendingRequests: 12, http2MaxRequests: 13, maxRequestsPerConnection: 14 },
    },
  }),
  () => ({
    connectionPool: {
      tcp: { maxConnections: 11, connectTimeout: '4s', tcpKeepalive: { probes: 4, time: '50s', interval: '5s' } },
      http: { http1MaxPendingRequests: 12, http2MaxRequests: 13, maxRequestsPerConnection: 14, idleTimeout: '70s' },
    },
  }),
  () => ({ mtls: { istio: { tlsMode: 'SIMPLE' } } }),
];

/** Two clusters, federated, and a caller that is let in everywhere, as some meshes do things for each caller they know of. */
export function wholeWorld(tested: TestedPlugin): LawWorld {
  const names = RULES.map((_, index) => `whole-${index}`);
  const fleet = bookshop(tested, names);
  const policies = RULES.map((rule, index): PolicySpec => {
    const name = names[index] ?? '';
    const service = { name, namespace: 'shop', clusterName: 'cluster-1' };
    const destinationSelector = [{ kubeServiceRefs: { services: [service] } }];
    return { TrafficPolicy: name, spec: { destinationSelector, policy: rule(name) } };
  });
  const sourceSelector = [{ kubeServiceAccountRefs: { serviceAccounts: [BUYER] } }];
  const around: readonly PolicySpec[] = [
    { VirtualMesh: 'whole-mesh', spec: { federation: { mode: 'ALL' } } },
    { AccessPolicy: 'whole-caller', spec: { sourceSelector } },
  ];
  return {
    name: 'every value of every rule',
    fleet: { ...fleet, management: probePolicies([...around, ...policies], fleet, tested) },
  };
}
