/** Federation: which services reach which meshes, changes of members, and rejections with their messages. */
import type { KubeObject, PolicyState } from '@meshrelay/api';
import { partsOf } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { type ControlPlane, settle } from '../../../src/mod.ts';
import { evaluateFederation, lostInFederation } from '../../../src/resolve/federation/federation-rejections.ts';
import type { KnownDestination } from '../../../src/resolve/inventory/known-destination.ts';
import { soundPorts } from '../../../src/resolve/inventory/port-faults.ts';
import { BASE } from '../../support/base-fleet.ts';
import { fakePlugin } from '../../support/fake-plugin.ts';
import { apply, planeOf, saidBy } from '../../support/fleet-states.ts';
import { sha256 } from '../../support/hash.ts';
import type { Placed } from '../../support/placed.ts';

const options = { plugins: [fakePlugin()], hash: sha256 };

function virtualMesh(clusters: readonly string[], federation: object, name = 'base'): Placed {
  const object = {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'VirtualMesh',
    metadata: { name, namespace: 'policies' },
    spec: { meshes: clusters.map((cluster) => ({ name: `cp-fake-${cluster}`, namespace: 'meshrelay' })), federation },
  };
  return { cluster: '', object: object as unknown as KubeObject };
}

/** BASE with other virtual meshes. */
function fleetStateWith(...virtualMeshes: readonly Placed[]): Placed[] {
  return [...BASE.filter(({ object }) => object.kind !== 'VirtualMesh'), ...virtualMeshes];
}

function settled(fleetState: readonly Placed[]): ControlPlane {
  const plane = planeOf(fleetState);
  settle(plane, options);
  return plane;
}

/** `<service> of <cluster> in <consumer>`, sorted. */
function reaches({ desired }: ControlPlane): string[] {
  return [...desired.entries()]
    .filter(([, { object }]) => object.metadata.name.startsWith('reach.'))
    .map(([, { cluster, object }]) => {
      const [, service, home] = object.metadata.name.split('.');
      return `${service} of ${home} in ${cluster}`;
    })
    .sort();
}

function reportsOf(plane: ControlPlane): {
  readonly state: PolicyState | undefined;
  readonly codes: readonly string[];
} {
  const [status] = [...plane.statuses.entries()].map(([, one]) => one.status);
  const targets = (status?.targets ?? []).filter(({ kind }) => kind === 'Destination');
  return {
    state: status?.state,
    codes: targets.flatMap(({ name, reports }) => reports.map(({ code, severity }) => `${name} ${code} ${severity}`)),
  };
}

test('each mode, and an empty federation, federates the documented services', () => {
  const all = ['c1', 'c2', 'c3'];
  const of = (federation: object) => reaches(settled(fleetStateWith(virtualMesh(all, federation)))).length;
  assert.is(of({ mode: 'NONE', selectors: [{}] }), 0);
  assert.is(of({}), 0);
  assert.is(of({ mode: 'SELECTED' }), 0);
  assert.is(of({ selectors: [{}] }), of({ mode: 'ALL' }));
  assert.is(of({ mode: 'ALL' }), 6);
});

test('a selector with meshes federates to those only, even if another selector names others', () => {
  const ref = (name: string, namespace: string, clusterName: string) => [
    { kubeServiceRefs: { services: [{ name, namespace, clusterName }] } },
  ];
  const to = (cluster: string) => [{ name: `cp-fake-${cluster}`, namespace: 'meshrelay' }];
  const selectors = [
    { destinationSelectors: ref('a', 'x', 'c1'), meshes: to('c2') },
    { destinationSelectors: ref('b', 'y', 'c1'), meshes: to('c3') },
  ];
  const plane = settled(fleetStateWith(virtualMesh(['c1', 'c2', 'c3'], { selectors })));
  assert.equal(reaches(plane), ['a of c1 in c2', 'b of c1 in c3']);
});

test('a selector may name several meshes', () => {
  const meshes = ['c2', 'c3'].map((cluster) => ({ name: `cp-fake-${cluster}`, namespace: 'meshrelay' }));
  const destinationSelectors = [{ kubeServiceMatcher: { namespaces: ['y'] } }];
  const federation = { selectors: [{ destinationSelectors, meshes }] };
  assert.equal(reaches(settled(fleetStateWith(virtualMesh(['c1', 'c2', 'c3'], federation)))), [
    'b of c1 in c2',
    'b of c1 in c3',
  ]);
});

test('meshes whose proxies do not answer DNS are reported if they know federated names: of other clusters, or their own', () => {
  const destinationSelectors = [{ kubeServiceRefs: { services: [{ name: 'a', namespace: 'x', clusterName: 'c1' }] } }];
  const meshes = [{ name: 'cp-fake-c2', namespace: 'meshrelay' }];
  const federation = { selectors: [{ destinationSelectors, meshes }] };
  const { statuses } = settled(fleetStateWith(virtualMesh(['c1', 'c2', 'c3'], federation)));
  const reported = [...statuses.entries()]
    .flatMap(([, { status }]) => status.targets)
    .filter(({ reports }) => reports.some(({ code }) => code === 'NAMES_NOT_RESOLVED'))
    .map(({ kind, cluster }) => `${kind} ${cluster}`);
  assert.equal(reported, ['Mesh c1', 'Mesh c2']);
});

test('meshes of one cluster use the local names of its Services: nothing is federated between them', () => {
  const [mesh] = BASE.filter(({ cluster, object }) => cluster === 'c1' && object.kind === 'Mesh');
  assert.ok(mesh !== undefined);
  const neighbour = { cluster: 'c1', object: { ...mesh.object, metadata: { name: 'neighbour', namespace: 'fake' } } };
  const both = virtualMesh(['c1', 'c2'], { mode: 'ALL' });
  const { meshes } = both.object['spec'] as { meshes: object[] };
  meshes.push({ name: 'neighbour-fake-c1', namespace: 'meshrelay' });
  const { federated } = settled([...fleetStateWith(both), neighbour]).resolved.federation;
  const consumers = [...federated.entries()].map(([, { destination, consumer }]) =>
    [partsOf(destination)[0], partsOf(consumer).join('/')].join(' in '),
  );
  assert.equal([...new Set(consumers)].sort(), ['c1 in c2/fake/cp', 'c2 in c1/fake/cp', 'c2 in c1/fake/neighbour']);
});

test('a hostname is federated if it is valid in DNS, and rejected otherwise', () => {
  const codes = (cluster: string, suffix = 'global') => {
    const ports = [{ number: 80, protocol: 'HTTP' }];
    const destination = { mesh: {}, namespace: 'x', name: 'a', cluster, ports } as unknown as KnownDestination;
    const context = { named: false, member: true, gateway: false, suffix, isDomain: () => false };
    const { federable, rejection = [] } = evaluateFederation(destination, context);
    return federable ? 'federated' : rejection.map(({ code }) => code).join();
  };
  assert.is(codes('n'.repeat(63)), 'federated');
  for (const cluster of ['n'.repeat(64), 'under_score', '-dash', 'dash-', 'Upper', 'two..dots'])
    assert.is(codes(cluster), 'INVALID_HOSTNAME', cluster);
  const rest = 253 - 'a.x.svc.c1.'.length;
  const suffixOf = (length: number) =>
    `${'s'.repeat(60)}.`
      .repeat(10)
      .slice(0, length - 1)
      .concat('s');
  assert.is(codes('c1', suffixOf(rest)), 'federated');
  assert.is(codes('c1', suffixOf(rest + 1)), 'INVALID_HOSTNAME');
});

test('UDP ports are reported by number, in one message', () => {
  const udp = (...numbers: readonly number[]) => {
    const ports = [80, ...numbers].map((number) => ({ number, protocol: number === 80 ? 'HTTP' : 'UDP' }));
    return lostInFederation({ namespace: 'x', name: 'a', cluster: 'c1', ports } as unknown as KnownDestination, []).map(
      ({ message }) => message,
    );
  };
  const where = 'Service x/a of cluster c1';
  assert.equal(udp(), []);
  assert.equal(udp(53), [`only TCP passes between clusters, so port 53 of ${where} is not federated`]);
  assert.equal(udp(53, 123), [`only TCP passes between clusters, so ports 53, 123 of ${where} are not federated`]);
});

test('a member that leaves loses its exports and imports; others keep theirs; rejoining restores all', () => {
  const [three, two] = [
    ['c1', 'c2', 'c3'],
    ['c1', 'c2'],
  ].map((clusters) => virtualMesh(clusters, { mode: 'ALL' }));
  assert.ok(three !== undefined && two !== undefined);
  const plane = settled(fleetStateWith(three));
  const before = saidBy(plane);
  apply(plane, [{ ...two, gone: false }]);
  settle(plane, options);
  assert.equal(reaches(plane), ['a of c1 in c2', 'a of c2 in c1', 'b of c1 in c2']);
  apply(plane, [{ ...three, gone: false }]);
  settle(plane, options);
  assert.equal(saidBy(plane), before);
});

test('two virtual meshes share nothing', () => {
  const plane = settled(
    fleetStateWith(virtualMesh(['c1'], { mode: 'ALL' }), virtualMesh(['c2', 'c3'], { mode: 'ALL' }, 'other')),
  );
  assert.equal(reaches(plane), ['a of c2 in c3']);
});

test('an ExternalName Service is reported to the virtual mesh of its own cluster, and to any that names it', () => {
  const alias: Placed = {
    cluster: 'c3',
    object: {
      apiVersion: 'discovery.meshrelay.dev/v1alpha1',
      kind: 'Destination',
      metadata: { name: 'alias', namespace: 'x' },
      spec: {
        kubeService: {
          ref: { name: 'alias', namespace: 'x', clusterName: 'c3' },
          labels: { app: 'alias' },
          ports: [{ port: 80, name: 'http', protocol: 'TCP' }],
          serviceType: 'EXTERNAL_NAME',
          externalName: 'elsewhere.example',
        },
      },
    } as unknown as KubeObject,
  };
  const reported = (destinationSelectors: readonly object[], members = ['c1', 'c2']) =>
    reportsOf(settled([...fleetStateWith(virtualMesh(members, { selectors: [{ destinationSelectors }] })), alias]))
      .codes;
  const labelled = { kubeServiceMatcher: { labels: { app: 'alias' } } };
  const named = { kubeServiceRefs: { services: [{ name: 'alias', namespace: 'x', clusterName: 'c3' }] } };
  for (const swept of [[{}], [labelled]]) {
    assert.equal(reported(swept), []);
    assert.equal(reported(swept, ['c2', 'c3']), ['alias EXTERNAL_NAME info']);
  }
  for (const naming of [[named], [{}, named], [named, labelled]])
    assert.equal(reported(naming), ['alias EXTERNAL_NAME warning'], JSON.stringify(naming));
  const twice = { selectors: [{ destinationSelectors: [named] }, { destinationSelectors: [named] }] };
  assert.equal(reportsOf(settled([...fleetStateWith(virtualMesh(['c1', 'c2'], twice)), alias])).codes, [
    'alias EXTERNAL_NAME warning',
  ]);
});

test('a suffix that collides with the domain of a cluster is rejected, with a report to the virtual mesh', () => {
  const domain = {
    cluster: '',
    object: {
      apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
      kind: 'KubernetesCluster',
      metadata: { name: 'c2', namespace: 'meshrelay' },
      spec: { clusterDomain: 'c1.corp' },
    } as unknown as KubeObject,
  };
  const plane = settled([
    ...fleetStateWith(virtualMesh(['c1', 'c2'], { mode: 'ALL', hostnameSuffix: 'corp' })),
    domain,
  ]);
  assert.equal(reaches(plane), ['a of c2 in c1']);
  const { state, codes } = reportsOf(plane);
  assert.is(state, 'DEGRADED');
  assert.equal(codes, ['a NAME_CONFLICT warning', 'b NAME_CONFLICT warning']);
});

test('deleting and restoring a gateway affects only the meshes of its cluster', () => {
  const plane = settled(BASE);
  const gateway = BASE.find(({ cluster, object }) => cluster === 'c2' && object.metadata.name === 'gw');
  assert.ok(gateway !== undefined);
  for (const gone of [true, false]) {
    const runs = (): number[] =>
      ['resolve/ingress-gateways', 'resolve/gateways'].map((node) => plane.graph.counters().get(node)?.recomputed ?? 0);
    const before = runs();
    apply(plane, [{ ...gateway, gone }]);
    assert.equal(
      runs().map((count, at) => count - (before[at] ?? 0)),
      [1, 1],
    );
  }
});

test('ports that no proxy can use are omitted; of duplicates the first stays', () => {
  const { sound, faults } = soundPorts([
    { port: 80, name: 'http' },
    { port: 0, name: 'zero' },
    { port: 65536, name: 'high' },
    { port: 80.5, name: 'half' },
    { port: 80, name: 'again' },
    { port: 81, name: 'http' },
    { port: 82, name: 'target', targetPortNumber: 70000 },
    { port: 53, name: 'dns', protocol: 'UDP' },
    { port: 53, name: 'tcp-dns' },
    { port: 90 },
    { port: 91 },
  ]);
  assert.equal(
    sound.map(({ port, name }) => `${name ?? ''}:${port}`),
    ['http:80', 'dns:53', 'tcp-dns:53', ':90', ':91'],
  );
  assert.is(faults.length, 6);
  for (const { message } of faults) assert.match(message, /, so it is left out; correct spec\.ports$/);
});

test('valid ports are returned as the same list', () => {
  const ports = [{ port: 65535, name: 'last' }, { port: 1 }];
  assert.is(soundPorts(ports).sound, ports);
});

test.run();
