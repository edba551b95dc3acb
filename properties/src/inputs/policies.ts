/** Random policies about the Services that a cluster really has. */
import type { KubeObject } from '@meshrelay/api';
import fc from 'fast-check';
import type { InputCluster } from './manifests.ts';

const one = fc.constantFrom;

/** Some policies of each kind, and Settings that may consent to patches. */
export function randomPolicies({ users }: InputCluster, mesh: 'istio' | 'osm'): fc.Arbitrary<KubeObject[]> {
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
        name: mesh === 'istio' ? 'istiod-istio-system-cluster-1' : 'osm-controller-osm-system-cluster-1',
        namespace: 'meshrelay',
      },
    ]),
    globalAccessPolicy: one('ENABLED', 'DISABLED', 'MESH_DEFAULT'),
    mtlsConfig: fc.record({ strict: fc.boolean() }),
    federation: one(undefined, { mode: 'ALL' }),
  });
  return fc
    .record({
      traffic: fc.array(traffic, { minLength: 1, maxLength: 4 }),
      access: fc.array(access, { maxLength: 3 }),
      virtualMesh: fc.option(virtualMesh),
      consent: fc.boolean(),
    })
    .map(({ consent, ...policies }) => [
      object('admin', 'Settings', 'settings', { patches: { [mesh]: { meshConfig: consent } } }),
      ...policies.traffic.map((spec, index) => object('networking', 'TrafficPolicy', `traffic-${index}`, spec)),
      ...policies.access.map((spec, index) => object('networking', 'AccessPolicy', `access-${index}`, spec)),
      ...(policies.virtualMesh === null ? [] : [object('networking', 'VirtualMesh', 'all', policies.virtualMesh)]),
    ]);
}

/** As it came over a wire: without what is not set. */
function object(group: string, kind: string, name: string, spec: object): KubeObject {
  const whole = {
    apiVersion: `${group}.meshrelay.dev/v1alpha1`,
    kind,
    metadata: { name, namespace: 'meshrelay' },
    spec,
  };
  return JSON.parse(JSON.stringify(whole)) as KubeObject;
}
