/** The cost of a change follows its size: one policy edit in a fleet of a thousand services. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { type ControlPlane, type NodeCounters, settle } from '../src/mod.ts';
import { fakePlugin } from './support/fake-plugin.ts';
import { apply, emptyPlane } from './support/fleet-states.ts';
import { sha256 } from './support/hash.ts';
import type { Placed } from './support/placed.ts';

const SERVICES = 1000;
const POLICIES = 100;
const TOUCHED = 5;
/** Broad policies select every service. A new service must not recompute their statuses for all services. */
const BROAD = 5;

function object(group: string, kind: string, cluster: string, name: string, namespace: string, spec: unknown): Placed {
  const apiVersion = `${group}.meshrelay.dev/v1alpha1`;
  return { cluster, object: { apiVersion, kind, metadata: { name, namespace }, spec } as unknown as KubeObject };
}

function service(index: number): Placed {
  const cluster = `c${(index % 2) + 1}`;
  return object('discovery', 'Destination', cluster, `s${index}`, 'shop', {
    kubeService: {
      ref: { name: `s${index}`, namespace: 'shop', clusterName: cluster },
      labels: { team: `t${Math.floor(index / TOUCHED)}`, all: 'yes' },
      workloadSelectorLabels: { app: `s${index}` },
      ports: [{ port: 80, name: 'http', protocol: 'TCP' }],
      serviceType: 'CLUSTER_IP',
    },
    mesh: { name: 'cp', namespace: 'fake' },
  });
}

function policy(index: number, attempts: number): Placed {
  const labels = index < BROAD ? { all: 'yes' } : { team: `t${index}` };
  const rules = index < BROAD ? { connectionPool: { tcp: { maxConnections: 7 } } } : { retries: { attempts } };
  return object('networking', 'TrafficPolicy', '', `p${index}`, 'policies', {
    destinationSelector: [{ kubeServiceMatcher: { labels } }],
    policy: rules,
  });
}

const meshes = ['c1', 'c2'].map((cluster) =>
  object('discovery', 'Mesh', cluster, 'cp', 'fake', {
    type: 'fake',
    cluster,
    installation: { namespace: 'fake' },
    trustDomain: 'td',
  }),
);

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

const gateways = [gateway('c1', '198.51.100.1', '198.51.100.2'), gateway('c2', '198.51.100.3')];
const virtualMesh = object('networking', 'VirtualMesh', '', 'all', 'policies', {
  meshes: ['c1', 'c2'].map((cluster) => ({ name: `cp-fake-${cluster}`, namespace: 'meshrelay' })),
  federation: { mode: 'ALL' },
});

function fleet(): ControlPlane {
  // The bag with parts of every service is excluded: the size of such an object follows the number of its parts.
  const plugin = fakePlugin({
    assemble: () => ({ apiVersion: 'fake.example/v1', kind: 'Bag', metadata: { name: 'bag', namespace: 'fake' } }),
  });
  const plane = emptyPlane(plugin);
  const all = [
    ...meshes,
    ...gateways,
    ...Array.from({ length: SERVICES }, (_, index) => service(index)),
    ...Array.from({ length: POLICIES }, (_, index) => policy(index, 1)),
    virtualMesh,
  ];
  apply(
    plane,
    all.map((one) => ({ ...one, gone: false })),
  );
  settle(plane, { plugins: [], hash: sha256 });
  return plane;
}

/** Counters of each node for the run of `act`. */
function work({ graph }: ControlPlane, act: () => void): Map<string, NodeCounters> {
  const before = graph.counters();
  act();
  return new Map(
    [...graph.counters()].map(([name, { recomputed, changed, cutOff }]) => {
      const was = before.get(name);
      return [
        name,
        {
          recomputed: recomputed - (was?.recomputed ?? 0),
          changed: changed - (was?.changed ?? 0),
          cutOff: cutOff - (was?.cutOff ?? 0),
        },
      ];
    }),
  );
}

const plane = fleet();

test('the fleet has the expected size', () => {
  assert.ok(plane.desired.size >= 2 * SERVICES, `${plane.desired.size} outputs`);
  assert.is([...plane.statuses.entries()].filter(([, { status }]) => status.state !== 'ACCEPTED').length, 0);
});

for (const [what, events] of [
  ['an edit of a policy', [{ ...policy(50, 2), gone: false }]],
  ['its removal', [{ ...policy(50, 2), gone: true }]],
  ['its return', [{ ...policy(50, 3), gone: false }]],
] as const) {
  test(`${what} on ${TOUCHED} of ${SERVICES} services recomputes those ${TOUCHED} only`, () => {
    const done = work(plane, () => apply(plane, events));
    // Each destination has a local view and one of the other cluster; each view has a sheet and a part of a bag. The
    // selection of outputs counts twice: proposals of views, and the choice among proposals of one name.
    const max = 4 * TOUCHED + 4;
    for (const [name, { recomputed }] of done) assert.ok(recomputed <= max, `${name} ran ${recomputed} times`);
    const outputs = done.get('output/desired');
    assert.ok(outputs);
    assert.ok(outputs.changed >= 2 * TOUCHED, `${outputs.changed} outputs changed`);
    assert.ok(
      outputs.recomputed / outputs.changed <= 1.1,
      `${outputs.recomputed} recomputed for ${outputs.changed} changed`,
    );
  });
}

test('an edit without effect stops propagating', () => {
  const done = work(plane, () => apply(plane, [{ ...policy(50, 3), gone: false }]));
  assert.is(
    [...done.values()].reduce((sum, { changed }) => sum + changed, 0),
    0,
  );
});

test('one new service costs the same with and without broad policies', () => {
  const done = work(plane, () => apply(plane, [{ ...service(SERVICES), gone: false }]));
  const max = 4 * (BROAD + 2);
  for (const [name, { recomputed }] of done) assert.ok(recomputed <= max, `${name} ran ${recomputed} times`);
});

test('a new gateway address re-renders endpoints, but no route', () => {
  const more = gateway('c1', '198.51.100.1', '198.51.100.2', '198.51.100.4');
  const done = work(plane, () => apply(plane, [{ ...more, gone: false }]));
  assert.is(done.get('translate/federated-destinations')?.recomputed, 0);
  assert.is(done.get('translate/destinations')?.recomputed, 0);
  assert.is(done.get('translate/endpoints')?.changed, SERVICES / 2);
});

/** A virtual mesh with this many members, each with a service to which an AccessPolicy admits callers. */
function alliance(members: number): ControlPlane {
  const alone = emptyPlane(fakePlugin());
  const names = Array.from({ length: members + 1 }, (_, index) => `m${index}`);
  const all = [
    ...names.slice(0, members).flatMap(member),
    object('networking', 'VirtualMesh', '', 'all', 'policies', {
      meshes: names.map((cluster) => ({ name: `cp-fake-${cluster}`, namespace: 'meshrelay' })),
      federation: { mode: 'NONE' },
    }),
    object('networking', 'AccessPolicy', '', 'callers', 'policies', {
      sourceSelector: [{ kubeIdentityMatcher: { namespaces: ['shop'] } }],
    }),
  ];
  apply(
    alone,
    all.map((one) => ({ ...one, gone: false })),
  );
  return alone;
}

function member(cluster: string): readonly Placed[] {
  const installation = { namespace: 'fake' };
  return [
    object('discovery', 'Mesh', cluster, 'cp', 'fake', { type: 'fake', cluster, installation, trustDomain: 'td' }),
    serviceOf(cluster, 'a'),
  ];
}

function serviceOf(cluster: string, name: string): Placed {
  return object('discovery', 'Destination', cluster, name, 'shop', {
    kubeService: {
      ref: { name, namespace: 'shop', clusterName: cluster },
      labels: {},
      workloadSelectorLabels: { app: name },
      ports: [{ port: 80, name: 'http', protocol: 'TCP' }],
      serviceType: 'CLUSTER_IP',
    },
    mesh: { name: 'cp', namespace: 'fake' },
  });
}

test('a new member re-renders no other member, and does not re-evaluate their policies', () => {
  const members = 40;
  const fleetOfMembers = alliance(members);
  const done = work(fleetOfMembers, () =>
    apply(
      fleetOfMembers,
      member(`m${members}`).map((one) => ({ ...one, gone: false })),
    ),
  );
  for (const name of [
    'translate/meshes',
    'translate/destinations',
    'resolve/access',
    'resolve/trust-boundaries',
    'resolve/member-notes',
  ]) {
    const ran = done.get(name)?.recomputed ?? 0;
    assert.ok(ran >= 1 && ran <= 3, `${name} ran ${ran} times`);
  }
});

/** This many virtual meshes, each of two clusters with a federated service of their own. */
function alliances(count: number, federation: object): ControlPlane {
  const many = emptyPlane(fakePlugin());
  const all = Array.from({ length: count }, (_, index) => `v${index}`).flatMap((name) => [
    ...member(`${name}a`),
    ...member(`${name}b`),
    object('networking', 'VirtualMesh', '', name, 'policies', {
      meshes: ['a', 'b'].map((end) => ({ name: `cp-fake-${name}${end}`, namespace: 'meshrelay' })),
      federation,
    }),
  ]);
  apply(
    many,
    all.map((one) => ({ ...one, gone: false })),
  );
  settle(many, { plugins: [fakePlugin()], hash: sha256 });
  return many;
}

const swept = { destinationSelectors: [{ kubeServiceMatcher: { namespaces: ['shop'] } }] };
for (const federation of [{ mode: 'ALL' }, { selectors: [swept] }])
  test(`a new service does not affect virtual meshes without its cluster, with federation ${JSON.stringify(federation)}`, () => {
    const [few, many] = [2, 20].map((count) => {
      const fleetOf = alliances(count, federation);
      return Object.fromEntries(work(fleetOf, () => apply(fleetOf, [{ ...serviceOf('v0a', 'more'), gone: false }])));
    });
    assert.equal(many, few);
  });

test('a change of other fields of Settings, such as its status, recomputes almost nothing', () => {
  const settings = object('admin', 'Settings', '', 'settings', 'meshrelay', {
    mtls: { istio: { tlsMode: 'ISTIO_MUTUAL' } },
    discovery: {},
  });
  apply(plane, [{ ...settings, gone: false }]);
  const reported = { ...settings.object, status: { observedGeneration: 1 } } as KubeObject;
  const done = work(plane, () => apply(plane, [{ cluster: '', object: reported, gone: false }]));
  const runs = [...done.values()].reduce((sum, { recomputed }) => sum + recomputed, 0);
  assert.ok(runs > 0 && runs < 10, `${runs} runs`);
});

test('a sequence number assigned by the ledger does not change the destinations of a policy', () => {
  const allowing = object('networking', 'AccessPolicy', '', 'allowing', 'policies', {
    destinationSelector: [{ kubeServiceMatcher: { labels: { all: 'yes' } } }],
    sourceSelector: [{ kubeIdentityMatcher: { namespaces: ['web'] } }],
  });
  const few = emptyPlane(fakePlugin());
  const all = [...meshes, ...Array.from({ length: 3 * TOUCHED }, (_, index) => service(index)), policy(2, 1), allowing];
  apply(
    few,
    all.map((one) => ({ ...one, gone: false })),
  );
  assert.is(few.pendingDecisions.policies.size, 2);
  const done = work(few, () => settle(few, { plugins: [], hash: sha256 }));
  assert.is(few.pendingDecisions.policies.size, 0);
  assert.ok((done.get('resolve/access')?.recomputed ?? 0) > 0);
  for (const name of ['resolve/access', 'resolve/traffic', 'translate/destinations/attempts'])
    assert.is(done.get(name)?.changed, 0, name);
  assert.is(done.get('translate/destinations/attempts')?.recomputed, 0);
});

test.run();
