/** Two clusters, their workloads, and their initial policies. */

import type { Policy } from './proxy-fixture.ts';
import type { WorkloadClusterPlan } from './workload-cluster.ts';

/** Ratings runs in both clusters; all callers are in the first. */
export const FLEET: readonly WorkloadClusterPlan[] = [
  {
    name: 'east',
    network: 81,
    apps: [
      { name: 'front' },
      { name: 'guest' },
      { name: 'reviews', version: 'v1', http: 9080 },
      { name: 'reviews', version: 'v2', http: 9080 },
      { name: 'ratings', http: 9080, grpc: 9090 },
    ],
    edges: [],
  },
  {
    name: 'west',
    network: 82,
    apps: [{ name: 'ratings', http: 9080, grpc: 9090 }],
    edges: [
      { name: 'edge-a', address: '172.18.82.11' },
      { name: 'edge-b', address: '172.18.82.12' },
    ],
  },
];

const reviews = [{ kubeServiceRefs: { services: [{ name: 'reviews', namespace: 'shop', clusterName: 'east' }] } }];
const under = (prefix: string) => [{ uri: { prefix } }];
/** Traffic rules for requests for reviews under a path. */
export const rule = (name: string, prefix: string, policy: object): Policy => ({
  kind: 'TrafficPolicy',
  name,
  spec: { destinationSelector: reviews, httpRequestMatchers: under(prefix), policy },
});
const service = (name: string, clusterName: string, subset?: object) => ({
  kubeService: { name, namespace: 'shop', clusterName, ...(subset === undefined ? {} : { subset }) },
});

/** A VirtualMesh of both under one root, with the given options of their intermediates. */
export function virtualMesh(intermediateCertOptions: object = {}): Policy {
  const rootCertificateAuthority = { generated: { rsaKeySizeBytes: 2048 } };
  return {
    kind: 'VirtualMesh',
    name: 'all',
    spec: {
      meshes: FLEET.map(({ name }) => ({ name: `meshrelay-agent-meshrelay-${name}`, namespace: 'meshrelay' })),
      mtlsConfig: { shared: { rootCertificateAuthority, intermediateCertOptions }, strict: true },
      federation: { mode: 'ALL' },
    },
  };
}

export const POLICIES: readonly Policy[] = [
  virtualMesh(),
  rule('weights', '/weights', {
    trafficShift: {
      destinations: [
        { weight: 75, ...service('reviews', 'east', { version: 'v1' }) },
        { weight: 25, ...service('reviews', 'east', { version: 'v2' }) },
      ],
    },
  }),
  rule('retries', '/retries', { retries: { attempts: 3, perTryTimeout: '15s' } }),
  rule('timeout', '/timeout', { requestTimeout: '200ms' }),
  rule('fault', '/fault', { faultInjection: { abort: { httpStatus: 418 } } }),
  rule('cors', '/cors', { corsPolicy: { allowOrigins: [{ exact: 'https://shop.example' }], allowMethods: ['GET'] } }),
  rule('mirror', '/mirror', { mirror: { ...service('ratings', 'east'), percentage: 100 } }),
  rule('headers', '/headers', {
    headerManipulation: { appendRequestHeaders: { 'x-asked': 'yes' }, appendResponseHeaders: { 'x-answered': 'yes' } },
  }),
  {
    kind: 'AccessPolicy',
    name: 'ratings-for-front',
    spec: {
      destinationSelector: [
        {
          kubeServiceRefs: {
            services: FLEET.map(({ name }) => ({ name: 'ratings', namespace: 'shop', clusterName: name })),
          },
        },
      ],
      sourceSelector: [{ kubeServiceAccountRefs: { serviceAccounts: [{ name: 'front', namespace: 'shop' }] } }],
    },
  },
  {
    kind: 'VirtualDestination',
    name: 'ratings',
    spec: {
      hostname: 'ratings.everywhere',
      port: { number: 9080, protocol: 'HTTP' },
      virtualMesh: { name: 'all', namespace: 'meshrelay' },
      static: { destinations: [service('ratings', 'east'), service('ratings', 'west')] },
    },
  },
];
