/**
 * Which Services are the gateways of a member: by selectors, by Settings or by the plugin; their order and addresses.
 */
import type { KubeObject } from '@meshrelay/api';
import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { settle } from '../../../src/mod.ts';
import type { MeshGateways } from '../../../src/resolve/gateways/gateways.ts';
import { BASE } from '../../support/base-fleet.ts';
import { fakePlugin } from '../../support/fake-plugin.ts';
import { planeOf } from '../../support/fleet-states.ts';
import { sha256 } from '../../support/hash.ts';
import type { Placed } from '../../support/placed.ts';

interface Gateway {
  readonly labels?: Readonly<Record<string, string>>;
  readonly selector?: Readonly<Record<string, string>>;
  readonly ports?: readonly object[];
  readonly addresses?: readonly object[];
}

const TLS = { port: 15443, name: 'tls', targetPortNumber: 8443, nodePort: 31443 };
const MUTUAL = { port: 443, name: 'mutual', targetPortNumber: 8444 };

function gateway(name: string, more: Gateway = {}, cluster = 'c1'): Placed {
  const { labels = { role: 'gateway' }, selector = { app: name }, ports = [TLS] } = more;
  const kubeService = {
    ref: { name, namespace: 'edge', clusterName: cluster },
    labels,
    workloadSelectorLabels: selector,
    ports,
    externalAddresses: more.addresses ?? [{ ip: '198.51.100.1' }],
    serviceType: 'LOAD_BALANCER',
  };
  const metadata = { name, namespace: 'edge' };
  const apiVersion = 'discovery.meshrelay.dev/v1alpha1';
  return {
    cluster,
    object: { apiVersion, kind: 'Destination', metadata, spec: { kubeService } } as unknown as KubeObject,
  };
}

function selecting(...eastWestIngressGatewaySelectors: readonly object[]): Placed {
  const meshes = ['c1', 'c2', 'c3'].map((cluster) => ({ name: `cp-fake-${cluster}`, namespace: 'meshrelay' }));
  const spec = { meshes, federation: { mode: 'ALL', eastWestIngressGatewaySelectors } };
  const apiVersion = 'networking.meshrelay.dev/v1alpha1';
  const metadata = { name: 'base', namespace: 'policies' };
  return { cluster: '', object: { apiVersion, kind: 'VirtualMesh', metadata, spec } as unknown as KubeObject };
}

function detecting(ingressGatewayDetectors: object): Placed {
  const apiVersion = 'admin.meshrelay.dev/v1alpha1';
  const metadata = { name: 'settings', namespace: 'meshrelay' };
  const spec = { discovery: { fake: { ingressGatewayDetectors } } };
  return { cluster: '', object: { apiVersion, kind: 'Settings', metadata, spec } as unknown as KubeObject };
}

const labelled = (role: string, portName?: string): object => {
  const destinationSelectors = [{ kubeServiceMatcher: { labels: { role } } }];
  return { destinationSelectors, ...(portName === undefined ? {} : { portName }) };
};

/** The gateways of the mesh of c1, with these objects instead of its own gateways. */
function gatewaysWith(...objects: readonly Placed[]): MeshGateways {
  const retained = BASE.filter(
    ({ object }) =>
      object.metadata.name !== 'gw' &&
      !objects.some((other) => other.object.kind === object.kind && object.kind === 'VirtualMesh'),
  );
  const plane = planeOf([...retained, ...objects]);
  settle(plane, { plugins: [fakePlugin()], hash: sha256 });
  return plane.resolved.gateways.get(key('c1', 'fake', 'cp')) ?? { gateways: [], destinations: [], reports: [] };
}

/** `<name> <container port> <addresses with ports>` */
const textsOf = ({ gateways }: MeshGateways): string[] =>
  gateways.map(({ name, containerPort, endpoints }) =>
    [name, containerPort, ...endpoints.map(({ address, ports }) => `${address}:${ports}`)].join(' '),
  );
const messageOf = ({ reports: [first] }: MeshGateways): string => first?.message ?? '';

test('if several selectors select a Service, the first whose port it has applies', () => {
  const both = gateway('both', { ports: [TLS, MUTUAL] });
  assert.equal(textsOf(gatewaysWith(both, selecting(labelled('gateway', 'mutual'), labelled('gateway')))), [
    'both 8444 198.51.100.1:443',
  ]);
  assert.equal(textsOf(gatewaysWith(both, selecting(labelled('gateway', 'none'), labelled('gateway')))), [
    'both 8443 198.51.100.1:15443',
  ]);
});

test('gateways are ordered by name, whichever selector finds them', () => {
  const [first, second] = [gateway('one', { labels: { role: 'z' } }), gateway('two', { labels: { role: 'a' } })];
  for (const objects of [
    [first, second, selecting(labelled('a'), labelled('z'))],
    [second, first, selecting(labelled('z'), labelled('a'))],
  ])
    assert.equal(
      textsOf(gatewaysWith(...objects)).map((text) => text.slice(0, 3)),
      ['one', 'two'],
    );
});

test('a Service of another cluster is neither a gateway nor a near match', () => {
  const found = gatewaysWith(gateway('there', { ports: [MUTUAL] }, 'c2'), selecting(labelled('gateway')));
  assert.equal(found.gateways, []);
  assert.match(messageOf(found), /no Service of that cluster matches/);
});

test('a selector for every Service has no near matches', () => {
  assert.match(
    messageOf(gatewaysWith(gateway('near', { ports: [MUTUAL] }), selecting({ destinationSelectors: [{}] }))),
    /matches spec/,
  );
  assert.match(
    messageOf(gatewaysWith(gateway('near', { ports: [MUTUAL] }), selecting(labelled('gateway')))),
    /^mesh cp .*edge\/near is selected/,
  );
});

test('without selectors, a Service with gateway labels but without the port is reported as near match', () => {
  const found = gatewaysWith(gateway('near', { ports: [MUTUAL] }));
  assert.equal([found.gateways, found.destinations], [[], []]);
  assert.match(
    messageOf(found),
    /Service edge\/near has the label role=gateway and has no port named tls \(it has mutual\)/,
  );
});

test('Settings override the plugin defaults: by cluster, else for all; without labels, with those of the plugin', () => {
  const own = gateway('own', { selector: { role: 'gateway' } });
  const [border, eastwest] = ['border', 'eastwest'].map((role) =>
    gateway(role, { selector: { role }, ports: [TLS, MUTUAL] }),
  );
  assert.ok(border !== undefined && eastwest !== undefined);
  const indexKeys = (detectors: object) => textsOf(gatewaysWith(own, border, eastwest, detecting(detectors)));
  const [forAll, forOne] = [
    { gatewayWorkloadLabels: { role: 'border' } },
    { gatewayWorkloadLabels: { role: 'eastwest' } },
  ];
  assert.equal(indexKeys({ '*': forAll, c1: forOne }), ['eastwest 8443 198.51.100.1:15443']);
  assert.equal(indexKeys({ '*': forAll, c2: forOne }), ['border 8443 198.51.100.1:15443']);
  assert.equal(indexKeys({ c1: { ...forOne, gatewayTlsPortName: 'mutual' } }), ['eastwest 8444 198.51.100.1:443']);
  assert.equal(indexKeys({ c1: {} }), ['own 8443 198.51.100.1:15443']);
  const near = gatewaysWith(
    gateway('near', { selector: { role: 'border' }, ports: [MUTUAL] }),
    detecting({ c1: forAll }),
  );
  assert.equal([near.gateways, near.destinations], [[], []]);
  assert.match(messageOf(near), /Service edge\/near selects pods with the label role=border and has no port named tls/);
});

test('a node address is used with the node port, if there is one; other addresses with the Service port', () => {
  const addresses = [{ ip: '10.0.0.1', node: 'n1' }, { ip: '203.0.113.1' }, { dnsName: 'gw.example' }];
  const at = (nodePort?: number) => {
    const ports = [
      { port: 15443, name: 'tls', targetPortNumber: 8443, ...(nodePort === undefined ? {} : { nodePort }) },
    ];
    return textsOf(gatewaysWith(gateway('gw', { ports, addresses })));
  };
  assert.equal(at(31443), ['gw 8443 10.0.0.1:31443 203.0.113.1:15443 gw.example:15443']);
  for (const without of [0, undefined]) assert.equal(at(without), ['gw 8443 203.0.113.1:15443 gw.example:15443']);
});

test('of two gateways, the one without an address is reported, and the other is used', () => {
  const found = gatewaysWith(gateway('good'), gateway('pending', { addresses: [] }));
  assert.equal(textsOf(found), ['good 8443 198.51.100.1:15443']);
  assert.equal(
    found.reports.map(({ code }) => code),
    ['GATEWAY_WITHOUT_ADDRESS'],
  );
  assert.match(
    messageOf(found),
    /gateway Service edge\/pending in cluster c1 .* status\.loadBalancer\.ingress is empty/,
  );
});

test.run();
