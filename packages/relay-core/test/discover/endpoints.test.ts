/**
 * Facts that discovery reports about the location of a Service: ready endpoints with their locality, and addresses for
 * other clusters.
 */
import type { Destination, KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { agentObjects } from '../../src/mod.ts';
import { fakePlugin } from '../support/fake-plugin.ts';

const REGION = 'topology.kubernetes.io/region';
const ZONE = 'topology.kubernetes.io/zone';

interface NodeSpec {
  readonly labels?: Readonly<Record<string, string>>;
  readonly addresses?: ReadonlyArray<readonly [type: string, address: string]>;
  /** Status of the condition Ready; omitted: no such condition. */
  readonly ready?: string;
}

function node(name: string, { labels = {}, addresses = [], ready }: NodeSpec = {}): KubeObject {
  const conditions = [
    { type: 'MemoryPressure', status: 'False' },
    { type: 'Ready', status: ready },
  ];
  const status = {
    addresses: addresses.map(([type, address]) => ({ type, address })),
    conditions: ready === undefined ? [] : conditions,
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status } as unknown as KubeObject;
}

interface Endpoint {
  readonly addresses: readonly string[];
  readonly nodeName?: string;
  readonly zone?: string;
  readonly conditions?: object;
}

function slice(name: string, ...endpoints: readonly Endpoint[]): KubeObject {
  const metadata = { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': 'cart' } };
  const ports = [{ port: 8080, name: 'http' }];
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata,
    endpoints,
    ports,
  } as unknown as KubeObject;
}

function service(spec: object = {}, ingress: readonly object[] = []): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: { selector: { app: 'cart' }, ports: [{ port: 80, name: 'http' }], ...spec },
    status: { loadBalancer: { ingress } },
  } as unknown as KubeObject;
}

function discover(...objects: readonly KubeObject[]): Destination['spec']['kubeService'] {
  const found = agentObjects({ name: 'c1', objects }, [fakePlugin()]).find(({ kind }) => kind === 'Destination');
  assert.ok(found !== undefined);
  return (found as Destination).spec.kubeService;
}

const placesOf = ({ endpointSubsets = [] }: Destination['spec']['kubeService']) =>
  endpointSubsets.flatMap(({ endpoints }) => endpoints.map(({ ipAddress, subLocality }) => [ipAddress, subLocality]));

test('endpoints that are not ready are skipped; one without the condition counts as ready', () => {
  const endpoints = [
    undefined,
    {},
    { ready: true },
    { ready: false },
    { ready: false, serving: true, terminating: true },
  ];
  const reported = endpoints.map((conditions, index) => ({
    addresses: [`10.0.0.${index}`],
    ...(conditions === undefined ? {} : { conditions }),
  }));
  assert.equal(
    placesOf(discover(service(), slice('one', ...reported))).map(([address]) => address),
    ['10.0.0.0', '10.0.0.1', '10.0.0.2'],
  );
  assert.equal(discover(service(), slice('one', ...reported.slice(3))).endpointSubsets, []);
});

test('a locality has the region of the first node with one, the zone of the endpoint or its node, and the subzone of the node', () => {
  const found = discover(
    service(),
    node('a', { labels: { [ZONE]: 'za' } }),
    node('b', { labels: { [REGION]: 'r', [ZONE]: 'zb', 'topology.istio.io/subzone': 'rack' } }),
    slice(
      'one',
      { addresses: ['10.0.0.1'], nodeName: 'a' },
      { addresses: ['10.0.0.2'], nodeName: 'b' },
      { addresses: ['10.0.0.3'], nodeName: 'b', zone: 'own' },
      { addresses: ['10.0.0.4'], nodeName: 'unheard-of', zone: 'own' },
      { addresses: ['10.0.0.5'] },
    ),
  );
  assert.is(found.region, 'r');
  assert.equal(placesOf(found), [
    ['10.0.0.1', { zone: 'za' }],
    ['10.0.0.2', { zone: 'zb', subZone: 'rack' }],
    ['10.0.0.3', { zone: 'own', subZone: 'rack' }],
    ['10.0.0.4', { zone: 'own' }],
    ['10.0.0.5', undefined],
  ]);
});

test('legacy topology labels of nodes are used if the current ones are missing', () => {
  const old = (name: string) => `failure-domain.beta.kubernetes.io/${name}`;
  const at = (labels: Record<string, string>) => {
    const found = discover(service(), node('a', { labels }), slice('one', { addresses: ['10.0.0.1'], nodeName: 'a' }));
    return [found.region, placesOf(found)[0]?.[1]];
  };
  assert.equal(at({ [old('region')]: 'then', [old('zone')]: 'then-a' }), ['then', { zone: 'then-a' }]);
  assert.equal(at({ [old('region')]: 'then', [old('zone')]: 'then-a', [REGION]: 'now', [ZONE]: 'now-a' }), [
    'now',
    { zone: 'now-a' },
  ]);
});

const onNodes = (...names: readonly string[]): KubeObject =>
  slice('one', ...names.map((nodeName, index) => ({ addresses: [`10.0.0.${index + 1}`], nodeName })));

test('NodePorts are reachable at ready nodes that run ready pods, by external addresses if a node has any', () => {
  const both = {
    addresses: [
      ['InternalIP', '192.168.0.1'],
      ['Hostname', 'a'],
      ['ExternalIP', '203.0.113.1'],
    ],
  } as const;
  const inside = { addresses: [['InternalIP', '192.168.0.2']] } as const;
  const at = (...objects: readonly KubeObject[]) =>
    discover(service({ type: 'NodePort' }), ...objects).externalAddresses?.map(({ ip, node: on }) => [ip, on]);
  assert.equal(at(node('a', both), node('b', inside), onNodes('a', 'b')), [['203.0.113.1', 'a']]);
  assert.equal(at(node('a', both), node('b', inside), onNodes('b')), [['192.168.0.2', 'b']]);
  for (const ready of ['False', 'Unknown'])
    assert.equal(at(node('a', { ...both, ready }), node('b', { ...inside, ready: 'True' }), onNodes('a', 'b')), [
      ['192.168.0.2', 'b'],
    ]);
});

test('a node without external IP is reachable by its external host name, before any internal address', () => {
  const named: NodeSpec = {
    addresses: [
      ['InternalIP', '192.168.0.3'],
      ['ExternalDNS', 'node-c.example.com'],
      ['Hostname', 'c'],
    ],
  };
  const both: NodeSpec = {
    addresses: [
      ['ExternalDNS', 'node-d.example.com'],
      ['ExternalIP', '203.0.113.4'],
    ],
  };
  const inside: NodeSpec = { addresses: [['InternalIP', '192.168.0.2']] };
  const at = (...objects: readonly KubeObject[]) =>
    discover(service({ type: 'NodePort' }), ...objects).externalAddresses;
  assert.equal(at(node('c', named), node('b', inside), onNodes('b', 'c')), [
    { dnsName: 'node-c.example.com', node: 'c' },
  ]);
  assert.equal(at(node('c', named), node('d', both), onNodes('c', 'd')), [
    { dnsName: 'node-c.example.com', node: 'c' },
    { ip: '203.0.113.4', node: 'd' },
  ]);
});

test('of many nodes the first eight with an address are listed', () => {
  const nodes = Array.from({ length: 12 }, (_, index) =>
    node(`n${index + 10}`, {
      addresses: index < 2 ? [['InternalIP', '10.9.9.9']] : [['ExternalIP', `203.0.113.${index}`]],
    }),
  );
  const names = nodes.map(({ metadata }) => metadata.name);
  const { externalAddresses } = discover(service({ type: 'NodePort' }), ...nodes, onNodes(...names));
  assert.equal(
    externalAddresses?.map(({ node: on }) => on),
    names.slice(2, 10),
  );
});

test('a load balancer is reachable at its addresses, or its host name without addresses; external IPs come first', () => {
  const ingress = [
    { ip: '198.51.100.1' },
    { hostname: 'lb.example' },
    { ip: '198.51.100.2', hostname: 'both.example' },
    {},
    { ip: '', hostname: '' },
  ];
  const spec = { type: 'LoadBalancer', externalIPs: ['203.0.113.9', '2001:db8::9'] };
  assert.equal(discover(service(spec, ingress)).externalAddresses, [
    { ip: '203.0.113.9' },
    { ip: '2001:db8::9' },
    { ip: '198.51.100.1' },
    { dnsName: 'lb.example' },
    { ip: '198.51.100.2' },
  ]);
  assert.equal(discover(service({ type: 'LoadBalancer' })).externalAddresses, []);
  assert.equal(discover(service({ ...spec, type: 'ClusterIP' }, ingress)).externalAddresses, [
    { ip: '203.0.113.9' },
    { ip: '2001:db8::9' },
  ]);
  assert.equal(
    discover(service({ ...spec, type: 'ExternalName', externalName: 'x.example' }, ingress)).externalAddresses,
    [],
  );
});

test.run();
