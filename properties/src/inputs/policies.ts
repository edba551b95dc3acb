/**
 * Random policies for the existing Services of a cluster: some as most users write them, some with any field of any
 * kind.
 */
import { apiVersionOf, definitionOf, type KindName, type KubeObject } from '@meshrelay/api';
import fc from 'fast-check';
import type { Names } from '../fleets/names.ts';
import { specsOver } from '../fleets/specs.ts';
import { withoutInvalidFields } from '../fleets/without-invalid-fields.ts';
import type { InputCluster } from './manifests.ts';

const one = fc.constantFrom;
const POLICIES = ['one', 'two', 'three'] as const;
const KINDS = [
  'TrafficPolicy',
  'AccessPolicy',
  'VirtualMesh',
  'VirtualDestination',
  'AccessLogRecord',
  'WasmDeployment',
] as const;
/** Names of their Mesh objects. */
const MESHES = {
  istio: 'istiod-istio-system-cluster-1',
  osm: 'osm-controller-osm-system-cluster-1',
} as const;

/** Some policies of each kind, and Settings that may consent to patches. */
export function randomPolicies(cluster: InputCluster, mesh: 'istio' | 'osm'): fc.Arbitrary<KubeObject[]> {
  const { users } = cluster;
  const services = users
    .filter(({ kind }) => kind === 'Service')
    .map(({ metadata: { name, namespace = '' } }) => ({ name, namespace, clusterName: 'cluster-1' }));
  const service = one(...services);
  const destinationSelector = fc.oneof(
    fc.constant(undefined),
    fc.uniqueArray(service, { minLength: 1, maxLength: 3 }).map((all) => [{ kubeServiceRefs: { services: all } }]),
    service.map(({ namespace }) => [{ kubeServiceMatcher: { namespaces: [namespace] } }]),
  );
  const rules = one(
    { requestTimeout: '2s' },
    { retries: { attempts: 2, perTryTimeout: '1s' } },
    { outlierDetection: {} },
    { faultInjection: { fixedDelay: '1s', percentage: 5 } },
    { mtls: { istio: { tlsMode: 'ISTIO_MUTUAL' } } },
    { connectionPool: { tcp: { maxConnections: 9 } } },
    { headerManipulation: { appendRequestHeaders: { 'x-tried': 'yes' } } },
  );
  const matchers = one(undefined, [{ uri: { prefix: '/api' } }], [{ headers: [{ name: 'x-user', value: 'jason' }] }]);
  const shift = fc.tuple(service, service).map(([from, to]) => ({
    destinationSelector: [{ kubeServiceRefs: { services: [from] } }],
    policy: {
      trafficShift: {
        destinations: [
          { weight: 60, kubeService: from },
          { weight: 40, kubeService: to },
        ],
      },
    },
  }));
  const traffic = fc.oneof(
    { weight: 4, arbitrary: fc.record({ destinationSelector, httpRequestMatchers: matchers, policy: rules }) },
    { weight: 1, arbitrary: shift },
  );
  const sources = fc.oneof(
    fc.constant(undefined),
    service.map(({ name, namespace }) => [{ kubeServiceAccountRefs: { serviceAccounts: [{ name, namespace }] } }]),
    service.map(({ namespace }) => [{ kubeIdentityMatcher: { namespaces: [namespace] } }]),
  );
  const access = fc.record({
    destinationSelector,
    sourceSelector: sources,
    action: one(undefined, 'ALLOW', 'DENY', 'AUDIT'),
    allowedPaths: one(undefined, ['/api*'], ['/a', '*.css']),
  });
  const virtualMesh = fc.record({
    meshes: fc.constant([
      {
        name: MESHES[mesh],
        namespace: 'meshrelay',
      },
    ]),
    globalAccessPolicy: one('ENABLED', 'DISABLED', 'MESH_DEFAULT'),
    mtlsConfig: fc.record({ strict: fc.boolean() }),
    federation: one(undefined, { mode: 'ALL' }),
  });
  const specs = specsOver(namesIn(cluster, services, MESHES[mesh]));
  const anything = fc.oneof(
    ...KINDS.map((kind) =>
      fc
        .tuple(one(...POLICIES), specs[kind])
        .map(([name, spec]) => withoutInvalidFields(policy(kind, `any-${name}`, spec))),
    ),
  );
  return fc
    .record({
      anything: fc.uniqueArray(anything, {
        maxLength: 6,
        selector: ({ kind, metadata }) => `${kind} ${metadata.name}`,
      }),
      traffic: fc.array(traffic, { minLength: 1, maxLength: 4 }),
      access: fc.array(access, { maxLength: 3 }),
      virtualMesh: fc.option(virtualMesh),
      consent: fc.boolean(),
    })
    .map(({ consent, ...policies }) => [
      policy('Settings', 'settings', { patches: { [mesh]: { meshConfig: consent } } }),
      ...policies.traffic.map((spec, index) => policy('TrafficPolicy', `traffic-${index}`, spec)),
      ...policies.access.map((spec, index) => policy('AccessPolicy', `access-${index}`, spec)),
      ...(policies.virtualMesh === null ? [] : [policy('VirtualMesh', 'all', policies.virtualMesh)]),
      ...policies.anything,
    ]);
}

/** Targets of policies with arbitrary fields: existing objects. */
function namesIn({ users }: InputCluster, services: readonly ServiceRef[], mesh: string): Names {
  const found = users.filter(({ kind }) => kind === 'Service') as readonly Service[];
  const namespaces = [...new Set(services.map(({ namespace }) => namespace))];
  const labels = found.flatMap(({ metadata, spec }) => [metadata.labels ?? {}, spec?.selector ?? {}]);
  const accounts = users.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
  const ports = found.flatMap(({ spec }) => spec?.ports ?? []).map(({ port }) => port);
  const hostnames = services.map(({ name, namespace }) => `${name}.${namespace}.svc.cluster.local`);
  return {
    service: one(...services),
    cluster: one('cluster-1', 'cluster-1', 'cluster-1', 'cluster-9'),
    namespace: one(...namespaces),
    labels: one(...labels),
    account: one('default', ...accounts),
    policy: one(...POLICIES.map((name) => `any-${name}`)),
    meshes: fc.constant([mesh]),
    port: one(...ports),
    hostname: one('shop.anywhere', ...hostnames),
  };
}

interface ServiceRef {
  readonly name: string;
  readonly namespace: string;
  readonly clusterName: string;
}

type Service = KubeObject<{
  readonly selector?: Readonly<Record<string, string>>;
  readonly ports?: ReadonlyArray<{ readonly port: number }>;
}>;

/** As received over a wire: without unset fields. */
function policy(kind: KindName, name: string, spec: object): KubeObject {
  const apiVersion = apiVersionOf(definitionOf(kind));
  const whole = { apiVersion, kind, metadata: { name, namespace: 'meshrelay' }, spec };
  return JSON.parse(JSON.stringify(whole)) as KubeObject;
}
