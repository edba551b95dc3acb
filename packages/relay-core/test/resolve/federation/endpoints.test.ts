/** Endpoints: of the consumer's IP family, through gateways or to pods. A change re-renders only what it affects. */
import type { EndpointSubset, IpFamily, KubeObject } from '@meshrelay/api';
import { type EndpointView, key, portToDial } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { addressKind, createControlPlane, createGraph, settle } from '../../../src/mod.ts';
import { BASE } from '../../support/base-fleet.ts';
import { fakePlugin } from '../../support/fake-plugin.ts';
import { apply, planeOf } from '../../support/fleet-states.ts';
import { sha256 } from '../../support/hash.ts';
import type { Placed } from '../../support/placed.ts';

const options = { plugins: [fakePlugin()], hash: sha256 };

function edited(kind: string, cluster: string, name: string, edit: (spec: Record<string, unknown>) => object): Placed {
  const found = BASE.find(
    (one) => one.object.kind === kind && one.cluster === cluster && one.object.metadata.name === name,
  );
  if (found === undefined) throw new Error(`no ${kind} ${name} in ${cluster}`);
  const { spec, ...object } = structuredClone(found.object) as KubeObject & { spec: Record<string, unknown> };
  return { cluster, object: { ...object, spec: edit(spec) } as unknown as KubeObject };
}

/** BASE, with objects of the same name replaced by these. */
function baseWith(...changes: readonly Placed[]): Placed[] {
  const id = ({ cluster, object: { kind, metadata } }: Placed) =>
    [cluster, kind, metadata.namespace, metadata.name].join();
  return [...new Map([...BASE, ...changes].map((one) => [id(one), one])).values()];
}

function service(cluster: string, name: string, more: object): Placed {
  return edited('Destination', cluster, name, ({ kubeService, ...spec }) => ({
    ...spec,
    kubeService: { ...(kubeService as object), ...more },
  }));
}

function families(cluster: string, ...ipFamilies: readonly IpFamily[]): Placed {
  return edited('Mesh', cluster, 'cp', (spec) => ({ ...spec, ipFamilies }));
}

const FLAT = edited('VirtualMesh', '', 'base', (spec) => ({ ...spec, federation: { mode: 'ALL', flatNetwork: true } }));

function pods(...addresses: readonly string[]): EndpointSubset[] {
  return [
    {
      endpoints: addresses.map((ipAddress) => ({ ipAddress, labels: { version: 'v1' }, subLocality: { zone: 'z' } })),
      ports: [{ port: 8080, name: 'http' }],
    },
  ];
}

/** The endpoints of Service a of c1 in a consumer's sheet. */
function endpointsIn(consumer: string, fleetState: readonly Placed[]): readonly EndpointView[] {
  const plane = planeOf(fleetState);
  settle(plane, options);
  const sheet = [...plane.desired.entries()].find(
    ([, { cluster, object }]) => cluster === consumer && object.metadata.name === 'endpoints.a.c1',
  );
  return (sheet?.[1].object['spec'] as { view: { endpoints: EndpointView[] } } | undefined)?.view.endpoints ?? [];
}

const GATEWAY = service('c1', 'gw', { externalAddresses: [{ ip: '2001:db8::1' }, { ip: '198.51.100.9' }] });

for (const [what, consumer, expected] of [
  ['IPv4 goes to the IPv4 address', families('c2', 'IPV4'), ['198.51.100.9']],
  ['IPv6 goes to the IPv6 address', families('c2', 'IPV6'), ['2001:db8::1']],
  ['both families go to one address of each gateway', families('c2', 'IPV4', 'IPV6'), ['198.51.100.9']],
  ['an unknown family goes to one address of each gateway', families('c2'), ['198.51.100.9']],
] as const) {
  test(`of a gateway with two families, pods with ${what}`, () => {
    assert.equal(
      endpointsIn('c2', baseWith(GATEWAY, consumer)).map(({ address }) => address),
      expected,
    );
  });
}

test('a gateway of another family than the pods is still used: the network may translate', () => {
  const gateway = service('c1', 'gw', { externalAddresses: [{ ip: '2001:db8::1' }] });
  assert.equal(
    endpointsIn('c2', baseWith(gateway, families('c2', 'IPV4'))).map(({ address }) => address),
    ['2001:db8::1'],
  );
});

test('on a flat network requests go to pods, at their target ports, with their labels and localities', () => {
  const fleetState = baseWith(FLAT, service('c1', 'a', { region: 'r', endpointSubsets: pods('10.0.0.2', '10.0.0.1') }));
  const endpoint = {
    kind: 'ipv4',
    ports: { 80: 8080 },
    locality: { region: 'r', zone: 'z' },
    labels: { version: 'v1', 'meshrelay.dev/cluster': 'c1' },
  };
  assert.equal(JSON.parse(JSON.stringify(endpointsIn('c2', fleetState))), [
    { address: '10.0.0.1', ...endpoint },
    { address: '10.0.0.2', ...endpoint },
  ]);
});

test('a mesh that cannot send to pods of other clusters uses gateways', () => {
  const fleetState = baseWith(FLAT, service('c1', 'a', { endpointSubsets: pods('10.0.0.1') }));
  const { plugin } = fakePlugin();
  const unable = fakePlugin({
    capabilities: { ...plugin.capabilities, 'mesh.federation.flatNetwork': { unsupported: 'not here' } },
  });
  const plane = planeOf(fleetState, unable);
  settle(plane, options);
  const found = [...plane.resolved.endpointsViews.entries()].flatMap(([, { destination, endpoints }]) =>
    destination.name === 'a' && destination.cluster === 'c1' ? endpoints.map(({ address }) => address) : [],
  );
  assert.equal([...new Set(found)], ['198.51.100.91']);
});

test('pods of a mesh without flat-network support are not called directly', () => {
  const other = 'other';
  const homeOfOtherType = edited('Mesh', 'c1', 'cp', (spec) => ({ ...spec, type: other }));
  const plane = planeOf(baseWith(FLAT, homeOfOtherType, service('c1', 'a', { endpointSubsets: pods('10.0.0.1') })));
  settle(plane, options);
  const found = [...plane.resolved.endpointsViews.entries()].flatMap(([, { destination, endpoints }]) =>
    destination.name === 'a' && destination.cluster === 'c1' ? endpoints.map(({ address }) => address) : [],
  );
  assert.equal(found.includes('10.0.0.1'), false);
});

test('on a flat network each mesh uses its own path: pods if supported, gateways otherwise', () => {
  const { plugin } = fakePlugin();
  const lame = fakePlugin({
    name: 'lame',
    capabilities: { ...plugin.capabilities, 'mesh.federation.flatNetwork': { unsupported: 'not here' } },
  });
  for (const [able, unable] of [
    ['c2', 'c3'],
    ['c3', 'c2'],
  ] as const) {
    const ofLame = edited('Mesh', unable, 'cp', (spec) => ({ ...spec, type: 'lame' }));
    const fleetState = baseWith(FLAT, ofLame, service('c1', 'a', { endpointSubsets: pods('10.0.0.1') }));
    const plane = createControlPlane(createGraph(), { plugins: [fakePlugin(), lame], hash: sha256 });
    apply(
      plane,
      fleetState.map((one) => ({ ...one, gone: false })),
    );
    settle(plane, options);
    const home = key('c1', 'x', 'a');
    const seenIn = (cluster: string) =>
      plane.resolved.endpointsViews.get(key(home, key(cluster, 'fake', 'cp')))?.endpoints.map(({ address }) => address);
    assert.equal([seenIn(able), seenIn(unable)], [['10.0.0.1'], ['198.51.100.91']]);
    assert.equal(plane.resolved.destinationViews.get(home)?.exported?.gatewayNamespaces, ['x']);
    assert.equal(plane.resolved.meshViews.get(key('c1', 'fake', 'cp'))?.exportedHosts, ['*.svc.c1.global']);
  }
});

test('a new pod on a flat network re-renders the endpoints of its Service, and nothing else', () => {
  const plane = planeOf(baseWith(FLAT, service('c1', 'a', { endpointSubsets: pods('10.0.0.1', '10.0.0.2') })));
  settle(plane, options);
  const before = plane.graph.counters();
  const more = service('c1', 'a', { endpointSubsets: pods('10.0.0.1', '10.0.0.2', '10.0.0.3') });
  apply(plane, [{ ...more, gone: false }]);
  const ran = (node: string) =>
    (plane.graph.counters().get(node)?.recomputed ?? 0) - (before.get(node)?.recomputed ?? 0);
  assert.is(ran('translate/federated-destinations'), 0);
  assert.is(ran('translate/destinations'), 0);
  assert.is(ran('translate/meshes'), 0);
  assert.is(ran('translate/endpoints'), 2, 'one for each consumer');
});

test('kinds of addresses are distinguished, and ports are resolved to numbers', () => {
  const kinds = ['10.0.0.1', '2001:db8::1', '::ffff:10.0.0.1', 'gw.example', '1.2.3.4.example', '300.1.1.1'];
  assert.equal(kinds.map(addressKind), ['ipv4', 'ipv6', 'ipv6', 'hostname', 'hostname', 'hostname']);
  assert.is(portToDial({ ports: 15443 }, 80), 15443);
  assert.is(portToDial({ ports: { 80: 8080 } }, 80), 8080);
  assert.is(portToDial({ ports: { 80: 8080 } }, 81), undefined);
});

test('a mesh without a plugin for its type gets no objects and causes no errors', () => {
  const plane = planeOf(baseWith(edited('Mesh', 'c2', 'cp', (spec) => ({ ...spec, type: 'unheard-of' }))));
  settle(plane, options);
  assert.is(plane.graph.quarantined.size, 0);
  assert.is([...plane.desired.entries()].filter(([, { cluster }]) => cluster === 'c2').length, 0);
});

test.run();
