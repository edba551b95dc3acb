/** Objects of a small fleet, with few names, so they often refer to each other. */
import type {
  AccessPolicy,
  Destination,
  ExternalAddress,
  IpFamily,
  KubeObject,
  KubeService,
  Mesh,
  TrafficPolicy,
  VirtualDestination,
  VirtualMesh,
  Workload,
} from '@meshrelay/api';
import fc from 'fast-check';
import { accessLogRecord } from './access-log-objects.ts';
import type { Placed } from './placed.ts';
import { wasmDeployment } from './wasm-objects.ts';

export const CLUSTERS = ['c1', 'c2', 'c3'] as const;
const NAMESPACES = ['x', 'y'] as const;
const SERVICES = ['a', 'b', 'gw'] as const;

const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const few = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.uniqueArray(arbitrary, { maxLength: 2, comparator: 'IsStrictlyEqual' });

/** Omits undefined members. */
function given<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

const cluster = one(...CLUSTERS);
const namespace = one(...NAMESPACES);
const serviceRef = fc.record({ name: one(...SERVICES), namespace, clusterName: cluster });

const mesh: fc.Arbitrary<Placed> = fc
  .record({
    cluster,
    name: one('cp', 'cp-two'),
    trustDomain: one('td.one', 'td.two'),
    dns: fc.boolean(),
    families: one<readonly IpFamily[]>([], ['IPV4'], ['IPV6'], ['IPV4', 'IPV6']),
  })
  .map(({ cluster: place, name, trustDomain, dns, families }) => ({
    cluster: place,
    object: {
      apiVersion: 'discovery.meshrelay.dev/v1alpha1',
      kind: 'Mesh',
      metadata: { name, namespace: 'fake' },
      spec: {
        type: 'fake',
        cluster: place,
        installation: { namespace: 'fake' },
        trustDomain,
        smartDnsProxyingEnabled: dns,
        ipFamilies: families,
      },
    } satisfies Mesh,
  }));

const ports = fc.subarray(
  [
    { port: 80, name: 'http', protocol: 'TCP', targetPortNumber: 8080 },
    { port: 81, name: 'grpc', protocol: 'TCP', targetPortName: 'rpc' },
    { port: 5432, name: 'tcp-db', protocol: 'TCP' },
    { port: 53, name: 'dns', protocol: 'UDP' },
  ],
  { minLength: 1 },
);

const destination: fc.Arbitrary<Placed> = fc
  .record({
    ref: serviceRef,
    ports,
    tier: one('front', 'back'),
    selector: one({ app: 'a' }, { app: 'b' }, { app: 'a', tier: 'front' }),
    inMesh: maybe(one('cp', 'cp-two')),
    type: one<'CLUSTER_IP' | 'EXTERNAL_NAME'>('CLUSTER_IP', 'EXTERNAL_NAME'),
    addresses: fc.subarray<ExternalAddress>([
      { ip: '198.51.100.1' },
      { dnsName: 'gw.example' },
      { ip: '2001:db8::1' },
      { ip: '203.0.113.7', node: 'n1', subLocality: { zone: 'z1' } },
    ]),
    nodePort: maybe(fc.constant(30443)),
    region: maybe(one('r1', 'r2')),
    pods: fc.subarray(['10.0.0.1', '10.0.0.2', '2001:db8::a']),
    headless: fc.boolean(),
    versions: maybe(one(['v1', 'v2'], ['v2', 'v3'])),
  })
  .map(({ ref, tier, selector, inMesh, addresses, nodePort, region, pods, headless, versions, ...rest }) => {
    const isGateway = ref.name === 'gw';
    return {
      cluster: ref.clusterName,
      object: {
        apiVersion: 'discovery.meshrelay.dev/v1alpha1',
        kind: 'Destination',
        metadata: { name: ref.name, namespace: ref.namespace },
        spec: given<Destination['spec']>({
          kubeService: given<KubeService>({
            ref,
            labels: { tier, ...(isGateway ? { role: 'gateway' } : {}) },
            workloadSelectorLabels: isGateway ? { app: 'gw' } : selector,
            ports: isGateway
              ? [given({ port: 15443, name: 'tls', protocol: 'TCP', targetPortNumber: 8443, nodePort })]
              : rest.ports,
            endpointSubsets: [
              {
                endpoints: pods.map((ipAddress) => ({ ipAddress, labels: { version: 'v1' } })),
                ports: [
                  { port: 9090, name: 'grpc' },
                  { port: 8080, name: 'http' },
                ],
              },
            ],
            region,
            headless,
            subsets: versions === undefined ? undefined : { version: { values: versions } },
            externalAddresses: isGateway ? addresses : [],
            serviceType: isGateway ? 'LOAD_BALANCER' : rest.type,
          }),
          mesh: inMesh === undefined ? undefined : { name: inMesh, namespace: 'fake' },
        }),
      } satisfies Destination,
    };
  });

/** Pods of some workloads share their labels only in part, as in a rollout. */
const workload: fc.Arbitrary<Placed> = fc
  .record({
    cluster,
    namespace,
    name: one('w1', 'w2'),
    podLabels: one<Record<string, string>>(
      { app: 'a', version: 'v1' },
      { app: 'a', version: 'v2', tier: 'front' },
      { app: 'a', tier: 'front' },
      { app: 'b', version: 'v1' },
      { app: 'gw' },
    ),
    inMesh: fc.boolean(),
  })
  .map(({ cluster: clusterName, namespace: home, name, podLabels, inMesh }) => ({
    cluster: clusterName,
    object: {
      apiVersion: 'discovery.meshrelay.dev/v1alpha1',
      kind: 'Workload',
      metadata: { name: `${name}-deployment`, namespace: home },
      spec: {
        kubernetes: {
          controller: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: home, name, clusterName },
          podLabels,
          serviceAccountName: 'default',
        },
        ...(inMesh ? { mesh: { name: 'cp', namespace: 'fake' } } : {}),
      },
    } satisfies Workload,
  }));

const matcher = fc
  .record({
    labels: maybe(one({ tier: 'front' }, { tier: 'back' })),
    namespaces: maybe(few(namespace)),
    clusters: maybe(few(cluster)),
  })
  .map((fields) => given<{ labels?: Record<string, string>; namespaces?: string[]; clusters?: string[] }>(fields));

const destinationSelector = maybe(
  few(
    fc.oneof(
      fc.constant({}),
      matcher.map((kubeServiceMatcher) => ({ kubeServiceMatcher })),
      fc.array(serviceRef, { minLength: 1, maxLength: 2 }).map((services) => ({ kubeServiceRefs: { services } })),
    ),
  ),
);

const team = fc.record({ team: one('red', 'blue') });

const policyName = fc.record({
  cluster: one('', '', ...CLUSTERS),
  name: one('p1', 'p2', 'p3'),
  home: one('policies', 'policies', 'meshrelay'),
  uid: maybe(one('uid-1', 'uid-2')),
});

function placed<O extends KubeObject>(
  kind: string,
  { cluster: place, name, home, uid }: { cluster: string; name: string; home: string; uid: string | undefined },
  spec: unknown,
): Placed {
  const metadata = { name, namespace: home, ...(uid === undefined ? {} : { uid }) };
  return {
    cluster: place,
    object: { apiVersion: 'networking.meshrelay.dev/v1alpha1', kind, metadata, spec } as unknown as O,
  };
}

const shift = fc
  .record({
    ref: serviceRef,
    other: serviceRef,
    subset: maybe(one({ version: 'v1' }, { version: 'v2' })),
    port: maybe(one(80, 81, 99)),
    virtual: fc.boolean(),
  })
  .map(({ ref, other, subset, port, virtual }) => ({
    destinations: [
      { weight: 70, kubeService: given({ ...ref, subset, port }) },
      virtual
        ? { weight: 30, virtualDestination: { name: 'p1', namespace: 'policies' } }
        : { weight: 30, kubeService: other },
    ],
  }));

const trafficPolicy: fc.Arbitrary<Placed> = fc
  .record({
    id: policyName,
    destinationSelector,
    sourceSelector: maybe(few(matcher.map((kubeWorkloadMatcher) => ({ kubeWorkloadMatcher })))),
    httpRequestMatchers: maybe(
      few(
        one(
          { uri: { prefix: '/a' } },
          { uri: { exact: '/a' }, name: 'n' },
          { method: 'GET' },
          { headers: [{ name: 'h' }] },
        ),
      ),
    ),
    policy: fc
      .record({
        requestTimeout: maybe(one('1s', '2s', 'nonsense')),
        retries: maybe(one({ attempts: 1 }, { attempts: 2 })),
        csrf: maybe(fc.constant({ filterEnabled: true })),
        localRateLimit: maybe(fc.constant({ requestsPerUnit: 5, unit: 'SECOND' as const })),
        mirror: maybe(serviceRef.map((kubeService) => ({ kubeService }))),
        trafficShift: maybe(shift),
        connectionPool: maybe(one({ tcp: { maxConnections: 1 } }, { tcp: { maxConnections: 2 } })),
      })
      .map((fields) => given(fields)),
  })
  .map(({ id, ...spec }) => placed<TrafficPolicy>('TrafficPolicy', id, given(spec)));

const accessPolicy: fc.Arbitrary<Placed> = fc
  .record({
    id: policyName,
    destinationSelector,
    sourceSelector: maybe(
      few(
        one(
          {},
          { kubeIdentityMatcher: { clusters: ['c1'] } },
          { kubeIdentityMatcher: { clusters: ['c9'] } },
          { kubeIdentityMatcher: { trustDomains: ['td.two', 'missing.example'], namespaces: ['x'] } },
          { kubeIdentityMatcher: { namespaces: ['x'] } },
        ),
      ),
    ),
    action: maybe(one('ALLOW', 'DENY', 'AUDIT')),
    allowedMethods: maybe(fc.constant(['GET'])),
  })
  .map(({ id, ...spec }) => placed<AccessPolicy>('AccessPolicy', id, given(spec)));

const member = fc
  .tuple(one('cp', 'cp-two'), one(...CLUSTERS, 'c9'))
  .map(([name, place]) => ({ name: `${name}-fake-${place}`, namespace: 'meshrelay' }));

const virtualMesh: fc.Arbitrary<Placed> = fc
  .record({
    id: policyName,
    meshes: fc.uniqueArray(member, { minLength: 1, maxLength: 4, selector: ({ name }) => name }),
    federation: maybe(
      fc
        .record({
          mode: maybe(one('SELECTED', 'ALL', 'NONE')),
          selectors: maybe(
            fc.array(
              fc
                .record({ destinationSelectors: destinationSelector, meshes: maybe(few(member)) })
                .map((fields) => given(fields)),
              { maxLength: 2 },
            ),
          ),
          hostnameSuffix: maybe(one('mesh', 'else')),
          flatNetwork: maybe(fc.boolean()),
        })
        .map((fields) => given(fields)),
    ),
    globalAccessPolicy: maybe(one('ENABLED', 'DISABLED')),
  })
  .map(({ id, ...spec }) => placed<VirtualMesh>('VirtualMesh', id, given(spec)));

const virtualDestination: fc.Arbitrary<Placed> = fc
  .record({
    id: policyName,
    hostname: one('v.one', 'v.one', 'v.two', 'a.x.svc.cluster.local', 'a.x.svc.c1.global', 'p.policies.vd.global'),
    port: one(
      { number: 80, protocol: 'HTTP' },
      { number: 80, protocol: 'TCP', targetName: 'tcp-db' },
      { number: 81, protocol: 'GRPC', targetNumber: 80 },
    ),
    scope: one(
      { virtualMesh: { name: 'base', namespace: 'policies' } },
      { virtualMesh: { name: 'p1', namespace: 'policies' } },
      {
        meshList: { meshes: ['c1', 'c2', 'c9'].map((place) => ({ name: `cp-fake-${place}`, namespace: 'meshrelay' })) },
      },
    ),
    behind: fc.oneof(
      fc
        .uniqueArray(serviceRef, { minLength: 1, maxLength: 3, selector: (ref) => JSON.stringify(ref) })
        .map((refs) => ({
          static: { destinations: refs.map((kubeService) => ({ kubeService })) },
        })),
      fc
        .record({ destinationSelectors: destinationSelector, outlierDetection: maybe(fc.constant({ interval: '1s' })) })
        .map((fields) => ({ localized: given(fields) })),
    ),
  })
  .map(({ id, scope, behind, ...spec }) =>
    placed<VirtualDestination>('VirtualDestination', id, { ...spec, ...scope, ...behind }),
  );

const admin = (kind: string, name: string, spec: unknown): Placed => ({
  cluster: '',
  object: {
    apiVersion: `${kind === 'KubernetesCluster' ? 'multicluster' : 'admin'}.meshrelay.dev/v1alpha1`,
    kind,
    metadata: { name, namespace: 'meshrelay' },
    spec,
  } as unknown as KubeObject,
});

const workspaceName = one('w1', 'w2', 'w3');

const namespaceObject: fc.Arbitrary<Placed> = fc
  .tuple(cluster, one(...NAMESPACES, 'policies', 'fake'), maybe(team))
  .map(([place, name, labels]) => ({
    cluster: place,
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: given({ name, labels }), spec: {} } as KubeObject,
  }));

const workspace: fc.Arbitrary<Placed> = fc
  .record({
    name: workspaceName,
    home: one('meshrelay', 'meshrelay', 'policies'),
    clusters: fc.array(
      fc
        .record({
          name: one(...CLUSTERS, '*', ''),
          namespaces: maybe(
            few(
              fc.oneof(
                one(...NAMESPACES, 'policies', 'fake', 'meshrelay').map((name) => ({ name })),
                team.map((labels) => ({ labels })),
                fc.constant({}),
              ),
            ),
          ),
        })
        .map((fields) => given(fields)),
      { maxLength: 3 },
    ),
  })
  .map(({ name, home, clusters }) => {
    const { object } = admin('Workspace', name, { clusters });
    return { cluster: '', object: { ...object, metadata: { name, namespace: home } } };
  });

const shares = maybe(
  fc.array(
    fc
      .record({
        workspace: workspaceName.map((name) => ({ name })),
        resources: maybe(
          fc.array(
            fc
              .record({
                kind: fc.constant('Destination'),
                labels: maybe(one({ tier: 'front' }, { tier: 'back' })),
                namespace: maybe(namespace),
              })
              .map((fields) => given(fields)),
            { maxLength: 2 },
          ),
        ),
      })
      .map((fields) => given(fields)),
    { maxLength: 2 },
  ),
);

const workspaceSettings: fc.Arbitrary<Placed> = fc
  .record({
    place: one('', ...CLUSTERS),
    name: one('s1', 's2'),
    home: one('policies', 'meshrelay', ...NAMESPACES),
    exportTo: shares,
    importFrom: shares,
    options: maybe(fc.constant({ serviceIsolation: true })),
  })
  .map(({ place, name, home, ...spec }) => {
    const { object } = admin('WorkspaceSettings', name, given(spec));
    return { cluster: place, object: { ...object, metadata: { name, namespace: home } } };
  });

/** Objects that define who may act on what. */
export const authorityObject: fc.Arbitrary<Placed> = fc.oneof(
  { weight: 2, arbitrary: namespaceObject },
  { weight: 3, arbitrary: workspace },
  { weight: 2, arbitrary: workspaceSettings },
);

const others: fc.Arbitrary<Placed> = fc.oneof(
  one('DISABLE', 'ISTIO_MUTUAL').map((tlsMode) => admin('Settings', 'settings', { mtls: { istio: { tlsMode } } })),
  fc
    .record({
      name: cluster,
      clusterDomain: one('cluster.local', 'other.local'),
      trustDomains: maybe(few(one('td.one', 'td.two'))),
      gatewayAddresses: maybe(few(one('198.51.100.1', 'GW.example', '198.51.100.91'))),
    })
    .map(({ name, ...spec }) => admin('KubernetesCluster', name, given(spec))),
  fc
    .tuple(one('ledger-1', 'ledger-2'), one('p1', 'p2', 'p3'), fc.nat(3), serviceRef)
    .map(([name, policy, sequence, ref]) =>
      admin('Ledger', name, {
        policies: [
          {
            kind: 'TrafficPolicy',
            cluster: '',
            namespace: 'policies',
            name: name === 'ledger-1' ? policy : `${policy}-other`,
            sequence,
            ...(sequence === 0 ? {} : { lastAcceptedSpec: { policy: { requestTimeout: `${sequence}s` } } }),
            ...(sequence === 2 ? { uid: 'uid-1' } : {}),
          },
        ],
        vips: [
          {
            host: `${ref.name}.${ref.namespace}.svc.${ref.clusterName}.${name}`,
            address: `240.0.0.${sequence}`,
          },
        ],
      }),
    ),
  fc
    .tuple(cluster, namespace, one('local.a', 'local.b', 'conflict.a', 'conflict.b'), fc.boolean())
    .map(([place, ns, name, managed]) => ({
      cluster: place,
      object: {
        apiVersion: 'fake.example/v1',
        kind: 'Sheet',
        metadata: { name, namespace: ns, labels: managed ? { 'meshrelay.dev/owner': 'meshrelay' } : {} },
      } as KubeObject,
    })),
);

/** The spec has a wrong type, so the object is reported as unreadable. */
const unreadable: fc.Arbitrary<Placed> = fc
  .tuple(policyName, one('VirtualMesh', 'TrafficPolicy', 'AccessPolicy'))
  .map(([id, kind]) => placed(kind, id, 'no object'));

/** Any object of the fleet; interesting ones occur more often. */
export const placedObject: fc.Arbitrary<Placed> = fc.oneof(
  { weight: 4, arbitrary: mesh },
  { weight: 6, arbitrary: destination },
  { weight: 3, arbitrary: workload },
  { weight: 5, arbitrary: trafficPolicy },
  { weight: 2, arbitrary: accessPolicy },
  { weight: 3, arbitrary: virtualMesh },
  { weight: 2, arbitrary: authorityObject },
  { weight: 3, arbitrary: virtualDestination },
  { weight: 2, arbitrary: accessLogRecord },
  { weight: 2, arbitrary: wasmDeployment },
  { weight: 2, arbitrary: others },
  { weight: 1, arbitrary: unreadable },
);
