/** Reported targets of a policy: the sharded summary equals that of the whole list. */
import type { KubeObject, PolicyState, PolicyStatus, TargetStatus } from '@meshrelay/api';
import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { type ControlPlane, settle } from '../../src/mod.ts';
import { compareTargets, partOf, worse } from '../../src/status/reported-targets.ts';
import { fakePlugin } from '../support/fake-plugin.ts';
import { apply, emptyPlane } from '../support/fleet-states.ts';
import { sha256 } from '../support/hash.ts';
import type { Placed } from '../support/placed.ts';

const options = { plugins: [fakePlugin()], hash: sha256 };

function destination(cluster: string, name: string, outside: boolean): Placed {
  const spec = {
    kubeService: {
      ref: { name, namespace: 'shop', clusterName: cluster },
      labels: {},
      workloadSelectorLabels: { app: name },
      ports: [{ port: 80, name: 'http', protocol: 'TCP' }],
      serviceType: 'CLUSTER_IP',
    },
    ...(outside ? {} : { mesh: { name: 'cp', namespace: 'fake' } }),
  };
  const apiVersion = 'discovery.meshrelay.dev/v1alpha1';
  const metadata = { name, namespace: 'shop' };
  return { cluster, object: { apiVersion, kind: 'Destination', metadata, spec } as unknown as KubeObject };
}

function mesh(cluster: string): Placed {
  const apiVersion = 'discovery.meshrelay.dev/v1alpha1';
  const spec = { type: 'fake', cluster, installation: { namespace: 'fake' }, trustDomain: 'td' };
  const metadata = { name: 'cp', namespace: 'fake' };
  return { cluster, object: { apiVersion, kind: 'Mesh', metadata, spec } as unknown as KubeObject };
}

const registered: Placed = {
  cluster: '',
  object: {
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name: 'c1', namespace: 'meshrelay' },
    spec: {},
  } as unknown as KubeObject,
};

function policy(destinationSelector: readonly object[]): Placed {
  const apiVersion = 'networking.meshrelay.dev/v1alpha1';
  const spec = { destinationSelector, policy: { retries: { attempts: 2 } } };
  const metadata = { name: 'broad', namespace: 'policies', generation: 1 };
  return { cluster: '', object: { apiVersion, kind: 'TrafficPolicy', metadata, spec } as unknown as KubeObject };
}

/** `inside` Services of a mesh, `outside` Services in none, and one policy. */
function planeOf(inside: number, outside: number, selector: readonly object[] = [{}]): ControlPlane {
  const plane = emptyPlane(fakePlugin());
  const services = Array.from({ length: inside + outside }, (_, at) =>
    destination('c1', `s${String(at).padStart(4, '0')}`, at >= inside),
  );
  apply(
    plane,
    [registered, mesh('c1'), ...services, policy(selector)].map((one) => ({ ...one, gone: false })),
  );
  settle(plane, options);
  return plane;
}

function statusOf(plane: ControlPlane): Pick<PolicyStatus, 'state' | 'targetCount' | 'targets'> {
  const [status] = [...plane.statuses.entries()].map(([, one]) => one.status);
  assert.ok(status !== undefined);
  return status;
}

test('targets are ordered by severity, then meshes, then by cluster, namespace and name', () => {
  const target = (state: PolicyState, kind: string, cluster = 'c', namespace = 'n', name = 'x'): TargetStatus => {
    return { kind, cluster, namespace, name, state, reports: [] };
  };
  const states = ['FAILED', 'INVALID', 'CONFLICT', 'PENDING', 'DEGRADED', 'ACCEPTED'] as const;
  const ordered = [
    ...states.slice(0, -1).map((state) => target(state, 'Destination')),
    target('ACCEPTED', 'Mesh', 'z', 'z', 'z'),
    target('ACCEPTED', 'Destination', 'a', 'z', 'z'),
    target('ACCEPTED', 'Destination', 'b', 'a', 'z'),
    target('ACCEPTED', 'Destination', 'b', 'b', 'a'),
    target('ACCEPTED', 'Destination', 'b', 'b', 'b'),
  ];
  assert.equal(ordered.toReversed().sort(compareTargets), ordered);
  states.forEach((state, at) => {
    for (const better of states.slice(at)) assert.equal([worse(state, better), worse(better, state)], [state, state]);
  });
});

test('of very many targets with reports, all are counted and the first are listed', () => {
  const { state, targetCount, targets } = statusOf(planeOf(3, 400));
  assert.is(state, 'ACCEPTED');
  assert.is(targetCount, 403);
  assert.equal(
    targets.map(({ name, state: of, reports }) => [name, of, reports.length]),
    Array.from({ length: targets.length }, (_, at) => [`s${String(at).padStart(4, '0')}`, 'ACCEPTED', at < 3 ? 0 : 1]),
  );
});

test('a target selected in bulk counts as degraded only if all targets are, in any shard', () => {
  const plane = planeOf(0, 100);
  assert.is(statusOf(plane).state, 'DEGRADED');
  assert.ok(statusOf(plane).targets.every(({ state }) => state === 'DEGRADED'));
  apply(plane, [{ ...destination('c1', 'last', false), gone: false }]);
  settle(plane, options);
  assert.is(statusOf(plane).state, 'ACCEPTED');
  assert.is(statusOf(plane).targetCount, 101);
  apply(plane, [{ ...destination('c1', 'last', false), gone: true }]);
  settle(plane, options);
  assert.is(statusOf(plane).state, 'DEGRADED');
});

test('a target selected by name counts as degraded, and comes first', () => {
  const services = [{ name: 's0090', namespace: 'shop', clusterName: 'c1' }];
  const { state, targets } = statusOf(planeOf(50, 50, [{}, { kubeServiceRefs: { services } }]));
  assert.is(state, 'DEGRADED');
  assert.equal(
    targets.slice(0, 2).map(({ name, state: of }) => [name, of]),
    [
      ['s0090', 'DEGRADED'],
      ['s0000', 'ACCEPTED'],
    ],
  );
});

test('one more target recomputes only its shard', () => {
  const max = 3;
  const plane = planeOf(1, 1000);
  const folded = (): number => plane.graph.counters().get('status/reported-targets')?.recomputed ?? 0;
  const before = folded();
  apply(plane, [{ ...destination('c1', 'more', true), gone: false }]);
  // One run for the new target, and one for its shard.
  assert.ok(folded() - before <= max, `${folded() - before} runs`);
  const parts = new Map<number, number>();
  for (let at = 0; at < 1000; at++) {
    const part = partOf(key('c1', 'shop', `s${String(at).padStart(4, '0')}`));
    parts.set(part, (parts.get(part) ?? 0) + 1);
  }
  assert.ok(
    parts.size > 16 && Math.max(...parts.values()) < 100,
    `${parts.size} parts, ${Math.max(...parts.values())}`,
  );
});

test('all diagnostics of a policy are available, each once', () => {
  const plane = planeOf(1, 300);
  const [policyKey] = [...plane.statuses.entries()].map(([id]) => id);
  assert.ok(policyKey !== undefined);
  const reported = plane.diagnosticsFor(policyKey);
  assert.is(reported.length, 300);
  assert.is(new Set(reported.map(({ target }) => target.key)).size, 300);
});

test.run();
