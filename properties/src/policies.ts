/** Random policies: every field that the schemas have, over the names that random fleets have. */
import { apiVersionOf, definitionOf, type KindName, type KubeObject } from '@meshrelay/api';
import { crds, type StructuralSchema } from '@meshrelay/api/crds';
import { arbitrary } from '@meshrelay/testing/arbitrary-value';
import fc from 'fast-check';
import { mended } from './mended.ts';
import { CLUSTER_NAMES, type Event, MAIN_CLUSTERS, NAMESPACES, POLICY_NAMES, SERVICES, someCluster } from './world.ts';

const one = fc.constantFrom;
const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 2 });

const service = fc.record({
  name: one(...SERVICES),
  namespace: one(...NAMESPACES),
  clusterName: someCluster,
});
const place = {
  labels: one({ tier: 'front' }, { tier: 'back' }, { app: 'cart' }),
  namespaces: few(one(...NAMESPACES)),
  clusters: few(someCluster),
};
const optional = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Partial<T>>;

const destinationSelector = fc.oneof(
  fc.constant({}),
  optional(place).map((kubeServiceMatcher) => ({ kubeServiceMatcher })),
  fc.array(service, { minLength: 1, maxLength: 3 }).map((services) => ({ kubeServiceRefs: { services } })),
);
const workloadSelector = optional(place).map((kubeWorkloadMatcher) => ({ kubeWorkloadMatcher }));
const account = { name: one('cart', 'pay', 'default'), namespace: one(...NAMESPACES) };
const identitySelector = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: optional({ namespaces: place.namespaces, clusters: place.clusters }).map((kubeIdentityMatcher) => ({
      kubeIdentityMatcher,
    })),
  },
  { weight: 1, arbitrary: accountsOf(optional({ ...account, clusterName: someCluster })) },
  { weight: 3, arbitrary: accountsOf(fc.record(account)) },
);

function accountsOf(one: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc
    .array(one, { minLength: 1, maxLength: 2 })
    .map((serviceAccounts) => ({ kubeServiceAccountRefs: { serviceAccounts } }));
}

/** What stands in for a schema's own random values, by the last names of a path: references, that would meet nothing otherwise. */
const serviceShift = fc
  .array(
    fc.record({ kubeService: service, subset: one(undefined, { version: 'v1' }), port: one(undefined, 80, 5432) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((goals) => ({
    destinations: goals.map(({ kubeService, subset, port }, index) => ({
      weight: index === 0 ? 100 - 10 * (goals.length - 1) : 10,
      kubeService: {
        ...kubeService,
        ...(subset === undefined ? {} : { subset }),
        ...(port === undefined ? {} : { port }),
      },
    })),
  }));
const virtualShift = one(...POLICY_NAMES).map((name) => ({
  destinations: [{ weight: 100, virtualDestination: { name, namespace: 'meshrelay' } }],
}));
const trafficShift = fc.oneof({ weight: 4, arbitrary: serviceShift }, { weight: 1, arbitrary: virtualShift });
const matcher = fc.oneof(
  one(
    { uri: { prefix: '/a' } },
    { uri: { exact: '/a' } },
    { uri: { prefix: '/' } },
    { method: 'GET' },
    { headers: [{ name: 'x-user' }] },
  ),
  arbitrary(within('TrafficPolicy', 'httpRequestMatchers').items as StructuralSchema),
);

const rules = within('TrafficPolicy', 'policy').properties ?? {};
const trafficRules = optional(
  Object.fromEntries(
    Object.entries(rules).map(([name, schema]) => [
      name,
      name === 'trafficShift'
        ? trafficShift
        : name === 'mirror'
          ? service.map((kubeService) => ({ kubeService }))
          : arbitrary(schema),
    ]),
  ),
).map((policy) => onlySome(policy as Record<string, unknown>));

/** Records keep about half of a dozen optional fields, which nearly always clash: two are more telling. */
function onlySome(policy: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(policy).slice(0, 2));
}

/** A shift as most users write it: between Services of one cluster and namespace. */
const shiftAtHome = fc
  .record({ clusterName: someCluster, weight: one(0, 10, 50, 100) })
  .map(({ clusterName, weight }) => {
    const [cart, pay] = ['cart', 'pay'].map((name) => ({ name, namespace: 'shop', clusterName }));
    return {
      destinationSelector: [{ kubeServiceRefs: { services: [cart] } }],
      policy: {
        trafficShift: {
          destinations: [
            { weight, kubeService: { ...cart, port: 80 } },
            { weight: 100 - weight, kubeService: { ...pay, port: 80 } },
          ],
        },
      },
    };
  });

const trafficPolicy = optional({
  sourceSelector: few(workloadSelector),
  destinationSelector: few(destinationSelector),
  httpRequestMatchers: few(matcher),
  policy: trafficRules,
});

const accessPolicy = fc
  .tuple(
    arbitrary(within('AccessPolicy')),
    optional({ sourceSelector: few(identitySelector), destinationSelector: few(destinationSelector) }),
  )
  .map(([random, selectors]) => {
    const { sourceSelector: _sources, destinationSelector: _destinations, ...rest } = random as Record<string, unknown>;
    return { ...rest, ...selectors };
  });

const virtualMesh = fc
  .record({
    clusters: fc.oneof(subset(MAIN_CLUSTERS), subset(CLUSTER_NAMES)),
    strict: fc.boolean(),
    mode: one('ALL', 'SELECTED', 'NONE', undefined),
    selectors: few(destinationSelector.map((selector) => ({ destinationSelectors: [selector] }))),
    suffix: one(undefined, 'mesh'),
    flat: one(false, false, true),
    globalAccessPolicy: one('ENABLED', 'DISABLED', 'MESH_DEFAULT'),
  })
  .map(({ clusters, strict, mode, selectors, suffix, flat, globalAccessPolicy }) => ({
    meshes: clusters.map((cluster) => ({ name: meshName(cluster), namespace: 'meshrelay' })),
    mtlsConfig: { ...(strict ? { strict } : {}), shared: {} },
    federation: {
      ...(mode === undefined ? {} : { mode }),
      ...(mode === 'SELECTED' || mode === undefined ? { selectors } : {}),
      ...(suffix === undefined ? {} : { hostnameSuffix: suffix }),
      ...(flat ? { flatNetwork: true } : {}),
    },
    globalAccessPolicy,
  }));

/** Names that meet: free ones, the own name of a Service, a federated one, one that gateways use. */
const virtualDestination = fc
  .record({
    hostname: one(
      'cart.anywhere',
      'cart.anywhere',
      'pay.anywhere',
      'cart.shop.svc.cluster.local',
      'cart.shop.svc.east.global',
      'one.meshrelay.vd.global',
    ),
    port: one(
      { number: 80, protocol: 'HTTP' },
      { number: 80, protocol: 'HTTP' },
      { number: 8080, protocol: 'GRPC', targetNumber: 80 },
      { number: 5432, protocol: 'TCP' },
    ),
    scope: fc.oneof(
      one(...POLICY_NAMES).map((name) => ({ virtualMesh: { name, namespace: 'meshrelay' } })),
      subset(MAIN_CLUSTERS).map((clusters) => ({
        meshList: { meshes: clusters.map((cluster) => ({ name: meshName(cluster), namespace: 'meshrelay' })) },
      })),
    ),
    behind: fc.oneof(
      fc
        .tuple(one('cart', 'pay'), fc.shuffledSubarray([...MAIN_CLUSTERS], { minLength: 1 }))
        .map(([name, clusters]) => ({
          static: {
            destinations: clusters.map((clusterName) => ({ kubeService: { name, namespace: 'shop', clusterName } })),
          },
        })),
      arbitrary(within('VirtualDestination', 'localized')).map((localized) => ({
        localized: {
          ...(localized as object),
          destinationSelectors: [{ kubeServiceMatcher: { labels: { app: 'cart' }, namespaces: ['shop'] } }],
        },
      })),
    ),
  })
  .map(({ hostname, port, scope, behind }) => ({ hostname, port, ...scope, ...behind }));

function subset(names: readonly string[]): fc.Arbitrary<string[]> {
  return fc.subarray([...names], { minLength: 1 });
}

function meshName(cluster: string): string {
  return cluster === 'north' || cluster === 'old-west'
    ? `osm-controller-osm-system-${cluster}`
    : `istiod-istio-system-${cluster}`;
}

/** Access as most users write it: ServiceAccounts of the same cluster, by name. */
const accessAtHome = fc
  .record({ clusterName: someCluster, name: one('cart', 'pay'), methods: one([], ['GET'], ['GET', 'POST']) })
  .map(({ clusterName, name, methods }) => ({
    sourceSelector: [{ kubeServiceAccountRefs: { serviceAccounts: [{ name: 'pay', namespace: 'shop' }] } }],
    destinationSelector: [{ kubeServiceRefs: { services: [{ name, namespace: 'shop', clusterName }] } }],
    allowedMethods: methods,
  }));

/** The main clusters of Istio, reaching all of each other's Services. */
export const federation: Event = [
  {
    cluster: '',
    gone: false,
    object: {
      apiVersion: apiVersionOf(definitionOf('VirtualMesh')),
      kind: 'VirtualMesh',
      metadata: { name: 'one', namespace: 'meshrelay', uid: 'uid-federation' },
      spec: {
        meshes: ['east', 'west'].map((cluster) => ({ name: meshName(cluster), namespace: 'meshrelay' })),
        federation: { mode: 'ALL' },
      },
    } as unknown as KubeObject,
  },
];

/** A policy comes, changes or goes, in the management cluster or in a workload cluster. */
export const policyEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: written('TrafficPolicy', trafficPolicy) },
  { weight: 1, arbitrary: written('TrafficPolicy', shiftAtHome) },
  { weight: 2, arbitrary: written('AccessPolicy', accessPolicy) },
  { weight: 1, arbitrary: written('AccessPolicy', accessAtHome) },
  { weight: 2, arbitrary: written('VirtualMesh', virtualMesh) },
  { weight: 1, arbitrary: written('VirtualDestination', virtualDestination) },
);

function written(kind: KindName, spec: fc.Arbitrary<unknown>): fc.Arbitrary<Event> {
  return fc
    .record({
      cluster: one('', '', '', ...CLUSTER_NAMES),
      name: one(...POLICY_NAMES),
      spec,
      generation: fc.nat(9),
      gone: fc.nat(4),
      wild: fc.nat(7),
    })
    .map(({ cluster, name, spec: value, generation, gone, wild }) => {
      const object = {
        apiVersion: apiVersionOf(definitionOf(kind)),
        kind,
        metadata: { name, namespace: 'meshrelay', uid: `uid-${kind}-${cluster}-${name}`, generation },
        spec: value,
      } as unknown as KubeObject;
      // Now and then users write what breaks rules.
      return [{ cluster, gone: gone === 0, object: wild === 0 ? object : mended(object) }];
    });
}

/** A part of a kind's spec, as its CRD has it. */
function within(kind: string, ...path: readonly string[]): StructuralSchema {
  const crd = crds.find(({ spec }) => spec.names.kind === kind);
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];
  const found = path.reduce<StructuralSchema | undefined>((inner, name) => inner?.properties?.[name], schema);
  if (found === undefined) throw new Error(`the CRD of ${kind} has no ${path.join('.')}`);
  return found;
}
