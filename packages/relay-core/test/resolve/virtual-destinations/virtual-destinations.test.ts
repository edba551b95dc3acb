/**
 * Virtual destinations over time: a change costs its own size, lost backends recover, and the first claimant owns a
 * hostname.
 */
import type { KubeObject } from '@meshrelay/api';
import { key, type VirtualDestinationView } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import type { ControlPlane } from '../../../src/mod.ts';
import { apply, emptyPlane } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

const CLUSTERS = ['c1', 'c2', 'c3', 'c4'];

function object(group: string, kind: string, cluster: string, name: string, namespace: string, spec: unknown): Placed {
  const apiVersion = `${group}.meshrelay.dev/v1alpha1`;
  return { cluster, object: { apiVersion, kind, metadata: { name, namespace }, spec } as unknown as KubeObject };
}

function mesh(cluster: string): Placed {
  const spec = { type: 'fake', cluster, installation: { namespace: 'fake' }, trustDomain: 'td' };
  return object('discovery', 'Mesh', cluster, 'cp', 'fake', spec);
}

function service(cluster: string, name: string): Placed {
  return object('discovery', 'Destination', cluster, name, 'x', {
    kubeService: {
      ref: { name, namespace: 'x', clusterName: cluster },
      workloadSelectorLabels: { app: name },
      serviceAccounts: [name],
      ports: [{ port: 80, name: 'http', protocol: 'TCP', targetPortNumber: 8080 }],
      serviceType: 'CLUSTER_IP',
    },
    mesh: { name: 'cp', namespace: 'fake' },
  });
}

function gateway(cluster: string, ...addresses: readonly string[]): Placed {
  return object('discovery', 'Destination', cluster, 'gw', 'fake', {
    kubeService: {
      ref: { name: 'gw', namespace: 'fake', clusterName: cluster },
      labels: { role: 'gateway' },
      workloadSelectorLabels: { app: 'gw' },
      ports: [{ port: 15443, name: 'tls', protocol: 'TCP', targetPortNumber: 8443 }],
      externalAddresses: addresses.map((ip) => ({ ip })),
      serviceType: 'LOAD_BALANCER',
    },
    mesh: { name: 'cp', namespace: 'fake' },
  });
}

function virtual(name: string, hostname: string, clusters: readonly string[], service = 'a', cluster = ''): Placed {
  return object('networking', 'VirtualDestination', cluster, name, 'meshrelay', {
    hostname,
    port: { number: 80, protocol: 'HTTP' },
    virtualMesh: { name: 'all', namespace: 'meshrelay' },
    static: {
      destinations: clusters.map((clusterName) => ({ kubeService: { name: service, namespace: 'x', clusterName } })),
    },
  });
}

function resolveContext(clusters: readonly string[]): Placed {
  const meshes = clusters.map((cluster) => ({ name: `cp-fake-${cluster}`, namespace: 'meshrelay' }));
  return object('networking', 'VirtualMesh', '', 'all', 'meshrelay', { meshes });
}

function vips(...hosts: readonly string[]): Placed {
  const entries = hosts.map((host, index) => ({ host, address: `240.0.0.${index + 1}` }));
  return object('admin', 'Ledger', '', 'ledger-0', 'meshrelay', { vips: entries });
}

const report = (plane: ControlPlane, ...objects: readonly Placed[]): void =>
  apply(
    plane,
    objects.map((one) => ({ ...one, gone: false })),
  );
const forget = (plane: ControlPlane, ...objects: readonly Placed[]): void =>
  apply(
    plane,
    objects.map((one) => ({ ...one, gone: true })),
  );

function fleet(...more: readonly Placed[]): ControlPlane {
  const plane = emptyPlane();
  report(
    plane,
    ...CLUSTERS.flatMap((cluster, index) => [
      mesh(cluster),
      service(cluster, 'a'),
      service(cluster, 'b'),
      gateway(cluster, `198.51.100.${index + 1}`),
    ]),
    resolveContext(CLUSTERS),
    vips('one.test', 'two.test', 'a.x.svc.cluster.local'),
    ...more,
  );
  return plane;
}

function viewIn(
  { resolved }: ControlPlane,
  cluster: string,
  name = 'one',
  from = '',
): VirtualDestinationView | undefined {
  const policy = key('VirtualDestination', from, 'meshrelay', name);
  return resolved.virtualDestinationViews.get(key(policy, key(cluster, 'fake', 'cp')));
}

const reached = (view: VirtualDestinationView | undefined): string[] =>
  (view?.groups ?? []).map(({ destination, local }) => `${destination.cluster}${local ? ' pods' : ''}`);

function stateOf({ statuses }: ControlPlane, name: string, cluster = ''): string | undefined {
  return statuses.get(key('VirtualDestination', cluster, 'meshrelay', name))?.status.state;
}

/** The keys of the changed views, in order; asserts that no other is rendered. */
function rerendered({ graph, resolved }: ControlPlane, act: () => void): string[] {
  const views = () =>
    new Map([...resolved.virtualDestinationViews.entries()].map(([id, view]) => [id, JSON.stringify(view)]));
  const runs = () => graph.counters().get('translate/virtual-destinations')?.recomputed ?? 0;
  const [before, ran] = [views(), runs()];
  act();
  const changed = [...views()].filter(([id, view]) => before.get(id) !== view).map(([id]) => id);
  assert.is(runs() - ran, changed.length);
  return changed.sort();
}

test('every mesh reaches all backends in the given order, its own pods without a gateway', () => {
  const plane = fleet(virtual('one', 'one.test', ['c2', 'c1']));
  assert.equal(reached(viewIn(plane, 'c1')), ['c2', 'c1 pods']);
  assert.equal(reached(viewIn(plane, 'c2')), ['c2 pods', 'c1']);
  assert.equal(reached(viewIn(plane, 'c3')), ['c2', 'c1']);
  assert.equal(viewIn(plane, 'c3')?.identities, ['td/ns/x/sa/a']);
  assert.is(viewIn(plane, 'c3')?.gatewayRoute, undefined);
  assert.equal(viewIn(plane, 'c1')?.gatewayRoute, {
    hostname: 'one.meshrelay.vd.global',
    address: '224.0.0.1',
    gatewayNamespaces: ['fake'],
    gatewayAccounts: [],
  });
});

test('a lost gateway removes its endpoints only, until it recovers', () => {
  const plane = fleet(virtual('one', 'one.test', ['c1', 'c2']));
  report(plane, gateway('c1'));
  assert.equal(reached(viewIn(plane, 'c3')), ['c2']);
  assert.equal(reached(viewIn(plane, 'c1')), ['c1 pods', 'c2']);
  assert.is(stateOf(plane, 'one'), 'DEGRADED');
  report(plane, gateway('c1', '198.51.100.99'));
  assert.equal(reached(viewIn(plane, 'c3')), ['c1', 'c2']);
  assert.is(stateOf(plane, 'one'), 'ACCEPTED');
});

test('a changed gateway address re-renders only the views that use it', () => {
  const plane = fleet(virtual('one', 'one.test', ['c1', 'c2']), virtual('two', 'two.test', ['c3', 'c4'], 'b'));
  const changed = rerendered(plane, () => report(plane, gateway('c1', '198.51.100.77')));
  const policy = key('VirtualDestination', '', 'meshrelay', 'one');
  assert.equal(
    changed,
    ['c2', 'c3', 'c4'].map((cluster) => key(policy, key(cluster, 'fake', 'cp'))),
  );
});

test('a hostname belongs to the first virtual destination, and to the next when that one is deleted', () => {
  const first = virtual('one', 'one.test', ['c1']);
  const plane = fleet(first, virtual('other', 'one.test', ['c2']));
  assert.is(stateOf(plane, 'other'), 'CONFLICT');
  assert.is(viewIn(plane, 'c3', 'other'), undefined);
  forget(plane, first);
  assert.is(stateOf(plane, 'other'), 'ACCEPTED');
  assert.equal(reached(viewIn(plane, 'c3', 'other')), ['c2']);
});

test('one of a workload cluster is local: it takes no hostname in other clusters and has no backends there', () => {
  const plane = fleet(virtual('one', 'one.test', ['c1', 'c2'], 'a', 'c1'));
  assert.equal(reached(viewIn(plane, 'c1', 'one', 'c1')), ['c1 pods']);
  assert.is(viewIn(plane, 'c2', 'one', 'c1'), undefined);
  assert.is(viewIn(plane, 'c1', 'one', 'c1')?.gatewayRoute, undefined);
  report(plane, virtual('all', 'one.test', ['c3']));
  assert.equal(reached(viewIn(plane, 'c2', 'all')), ['c3']);
  assert.equal(reached(viewIn(plane, 'c4', 'all')), ['c3']);
});

test('virtual destinations of different clusters, or with long names, have distinct and valid gateway hostnames', () => {
  const long = 'n'.repeat(80);
  const plane = fleet(virtual(long, 'one.test', ['c1']), virtual('one', 'two.test', ['c1'], 'a', 'c1'));
  report(plane, virtual('one', 'a.test', ['c2'], 'a', 'c2'), vips('one.test', 'two.test', 'a.test'));
  const gatewayHostnames = [
    viewIn(plane, 'c1', long),
    viewIn(plane, 'c1', 'one', 'c1'),
    viewIn(plane, 'c2', 'one', 'c2'),
  ].map((view) => view?.gatewayHostname ?? '');
  assert.is(new Set(gatewayHostnames).size, 3);
  for (const gatewayHostname of gatewayHostnames) {
    assert.ok(gatewayHostname.endsWith('.own.vd.global'), gatewayHostname);
    assert.ok(gatewayHostname.split('.').every((part) => part.length <= 63));
  }
});

test('under the name of a Service it takes over the connections of that Service, and needs every Service of the name', () => {
  const own = 'a.x.svc.cluster.local';
  const plane = fleet(virtual('one', own, ['c1', 'c2', 'c3']));
  assert.ok(viewIn(plane, 'c1')?.sameHostname);
  assert.is(stateOf(plane, 'one'), 'CONFLICT', 'c4 has the Service too, and it is not a backend');
  assert.is(viewIn(plane, 'c4'), undefined);
  report(plane, virtual('one', own, CLUSTERS));
  assert.is(stateOf(plane, 'one'), 'ACCEPTED');
});

test('a hostname without an address is pending', () => {
  const plane = fleet(virtual('one', 'three.test', ['c1']));
  assert.is(stateOf(plane, 'one'), 'PENDING');
  assert.is(viewIn(plane, 'c1'), undefined);
  assert.equal(
    [...plane.pendingDecisions.hosts.entries()].map(([, host]) => host),
    ['three.test'],
  );
});

test('a joining cluster uses the hostname at once, and other clusters do not change', () => {
  const plane = fleet(virtual('one', 'one.test', ['c1', 'c2']));
  report(plane, resolveContext(['c1', 'c2', 'c3']));
  assert.is(viewIn(plane, 'c4'), undefined);
  const changed = rerendered(plane, () => report(plane, resolveContext(CLUSTERS)));
  assert.equal(reached(viewIn(plane, 'c4')), ['c1', 'c2']);
  assert.is(changed.length, 1);
});

test('policies of a Service apply until the virtual destination of its name has its address, and then through it', () => {
  const limits = object('networking', 'TrafficPolicy', '', 'limits', 'meshrelay', {
    policy: { connectionPool: { tcp: { maxConnections: 7 } } },
  });
  const plane = fleet(vips('one.test'), limits, virtual('one', 'a.x.svc.cluster.local', ['c1', 'c2']));
  const ownView = () => plane.resolved.destinationViews.get(key('c1', 'x', 'a'));
  assert.is(viewIn(plane, 'c1'), undefined);
  assert.is(ownView()?.virtualDestination, undefined, 'no other view writes the settings yet');
  report(plane, vips('one.test', 'a.x.svc.cluster.local'));
  assert.is(viewIn(plane, 'c1')?.sameHostname?.connection.pool?.value.maxConnections, 7);
  assert.is(ownView()?.virtualDestination?.ref.name, 'one');
});

test.run();
