/** Random Services with their pods and endpoints, control planes and nodes, as clusters have them. */
import type { KubeObject } from '@meshrelay/api';
import * as istio from '@meshrelay/plugin-istio/fixture';
import { expandFleet, type MeshFixture, type ServiceSpec } from '@meshrelay/plugin-kit';
import * as osm from '@meshrelay/plugin-osm/fixture';
import fc from 'fast-check';
import { CLUSTERS, type Event, NAMESPACES, SERVICES, someCluster } from './fleet.ts';

const FIXTURES: Readonly<Record<'istio' | 'osm', MeshFixture>> = { istio, osm };
/** Nodes of every cluster; pods are spread over them. */
const NODES = {
  'node-1': { addresses: { InternalIP: '10.0.0.1', ExternalIP: '203.0.113.1' }, ready: true },
  'node-2': { addresses: { InternalIP: '10.0.0.2' }, zone: 'b' },
} as const;
const PLAIN: MeshFixture = { controlPlane: () => [], injected: (pod) => pod };

const ports = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.subarray(['grpc:81:rpc', 'tcp-db:5432', 'dns/UDP:53']).map((more) => ['http:80:8080', ...more]),
  },
  { weight: 1, arbitrary: fc.constantFrom([':9000'], ['tcp-db:5432'], ['dns/UDP:53']) },
);

const gatewaySpec: fc.Arbitrary<ServiceSpec> = fc
  .record({
    loadBalancer: fc.constantFrom(undefined, '198.51.100.1', '198.51.100.2', 'gw.example.com', '2001:db8::1'),
    nodePort: fc.boolean(),
  })
  .map(({ loadBalancer, nodePort }) => ({
    ports: ['tls:15443:15443:31443'],
    labels: { istio: 'ingressgateway', app: 'gw' },
    selector: { istio: 'ingressgateway' },
    ...(loadBalancer === undefined ? (nodePort ? { spec: { type: 'NodePort' } } : {}) : { loadBalancer }),
  }));

const plainSpec: fc.Arbitrary<ServiceSpec> = fc
  .record({
    ports,
    versions: fc.subarray(['v1', 'v2', 'v3']),
    sidecars: fc.constantFrom(true, true, true, false),
    labels: fc.constantFrom({ tier: 'front' }, { tier: 'back' }),
    selector: fc.constantFrom<ServiceSpec['selector'][]>(undefined, undefined, null, { app: 'cart' }),
    account: fc.constantFrom('default', 'cart', 'pay'),
    headless: fc.constantFrom(false, false, false, true),
    exportTo: fc.constantFrom(...Array<undefined>(9).fill(undefined), '.', '~', 'callers, bank'),
    addresses: fc.constantFrom<string[][]>([], [], [], ['2001:db8::10', '10.9.9.2', '2001:db8::12']),
  })
  .map(({ selector, headless, exportTo, addresses, ...spec }) => ({
    ...spec,
    containerPorts: { rpc: 9090 },
    ...(selector === undefined ? {} : { selector }),
    ...(exportTo === undefined ? {} : { annotations: { 'networking.istio.io/exportTo': exportTo } }),
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(headless ? { spec: { clusterIP: 'None' } } : {}),
  }));

/** A Service of a cluster is created or changed, with its backends; or all of it is deleted. */
export function serviceEventOf(cluster: fc.Arbitrary<string>, service: fc.Arbitrary<string>): fc.Arbitrary<Event> {
  return fc
    .record({ cluster, service, gateway: gatewaySpec, plain: plainSpec, gone: fc.nat(5) })
    .map(({ cluster: place, service: name, gateway, plain, gone }) => {
      const spec = name.startsWith('gw.') ? gateway : plain;
      return objectsOf(place, { [name]: spec }, [])
        .filter(({ kind }) => kind !== 'Node')
        .map((object) => ({ cluster: place, object, gone: gone === 0 }));
    });
}

const anyService = fc
  .tuple(fc.constantFrom(...SERVICES), fc.constantFrom(...NAMESPACES))
  .map((names) => names.join('.'));

/** A Service of any cluster. */
export const serviceEvent: fc.Arbitrary<Event> = serviceEventOf(someCluster, anyService);

const meshConfig = fc.constantFrom<object[]>({}, {}, { trustDomain: 'td.two' });

/** The initial state of a cluster: its nodes and its control plane; sometimes the control plane is deleted. */
export function clusterEventOf(
  cluster: fc.Arbitrary<string>,
  config: fc.Arbitrary<object> = meshConfig,
): fc.Arbitrary<Event> {
  return fc.record({ cluster, config, gone: fc.nat(7) }).map(({ cluster: place, config: chosen, gone }) => {
    const spec = CLUSTERS[place] === 'istio' ? { config: chosen } : chosen;
    return objectsOf(place, {}, [spec]).map((object) => ({
      cluster: place,
      object,
      gone: gone === 0 && object.kind !== 'Node',
    }));
  });
}

function objectsOf(
  cluster: string,
  services: Readonly<Record<string, ServiceSpec>>,
  controlPlanes: readonly object[],
): readonly KubeObject[] {
  const type = CLUSTERS[cluster];
  const fixture = type === undefined ? PLAIN : FIXTURES[type];
  const named = type ?? 'none';
  const region = `${cluster}-region`;
  const { clusters } = expandFleet(
    { about: '', clusters: { [cluster]: { region, nodes: NODES, services, [named]: controlPlanes } } },
    { type: named, fixture },
  );
  return clusters.flatMap(({ objects }) => objects);
}

/**
 * A controller is created, changed or deleted, with a template and no pods of its own: scaled to zero, or selected by a
 * Service that has other backends too.
 */
export const idleEvent: fc.Arbitrary<Event> = fc
  .record({
    cluster: someCluster,
    kind: fc.constantFrom('Deployment', 'StatefulSet', 'DaemonSet'),
    name: fc.constantFrom(...SERVICES),
    namespace: fc.constantFrom(...NAMESPACES),
    account: fc.constantFrom(undefined, 'cart', 'pay'),
    version: fc.constantFrom('v1', 'v9'),
    gone: fc.nat(3),
  })
  .map(({ cluster, kind, name, namespace, account, version, gone }) => {
    const spec = { containers: [], ...(account === undefined ? {} : { serviceAccountName: account }) };
    const template = { metadata: { labels: { app: name, version } }, spec };
    const object = {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name: `${name}-${version}`, namespace },
      spec: { template },
    };
    return [{ cluster, gone: gone === 0, object: object as unknown as KubeObject }];
  });
