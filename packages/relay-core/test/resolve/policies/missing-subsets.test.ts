/** A shift to a subset without workloads is pending, lists the existing values, and recovers automatically. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE } from '../../support/base-fleet.ts';
import { type ControlPlane, key } from '../../support/core.ts';
import { apply, emptyPlane } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

type Labels = Readonly<Record<string, string>>;

const POLICY = key('TrafficPolicy', '', 'policies', 'p');

function shiftTo(subset: Labels, { cluster = '', target = 'c1' } = {}): Placed {
  const kubeService = { name: 'a', namespace: 'x', clusterName: target, subset };
  return placed('networking', 'TrafficPolicy', cluster, 'p', 'policies', {
    destinationSelector: [{ kubeServiceRefs: { services: [{ name: 'a', namespace: 'x', clusterName: 'c1' }] } }],
    policy: { trafficShift: { destinations: [{ weight: 100, kubeService }] } },
  });
}

function workload(name: string, podLabels: Labels, namespace = 'x', cluster = 'c1'): Placed {
  const controller = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name, clusterName: cluster };
  const kubernetes = { controller, podLabels, serviceAccountName: 'default' };
  return placed('discovery', 'Workload', cluster, `${name}-deployment`, namespace, { kubernetes });
}

function placed(group: string, kind: string, cluster: string, name: string, namespace: string, spec: unknown): Placed {
  const apiVersion = `${group}.meshrelay.dev/v1alpha1`;
  return { cluster, object: { apiVersion, kind, metadata: { name, namespace }, spec } as unknown as KubeObject };
}

function planeWith(...more: readonly Placed[]): ControlPlane {
  const plane = emptyPlane();
  set(plane, ...BASE, ...more);
  return plane;
}

function set(plane: ControlPlane, ...some: readonly Placed[]): void {
  apply(
    plane,
    some.map((one) => ({ ...one, gone: false })),
  );
}

function reported(plane: ControlPlane, policy = POLICY): { state: string | undefined; reports: string[] } {
  const status = plane.statuses.get(policy)?.status;
  return { state: status?.state, reports: (status?.reports ?? []).map(({ code, message }) => `${code} ${message}`) };
}

const V1 = workload('a-v1', { app: 'a', version: 'v1' });
const V2 = workload('a-v2', { app: 'a', version: 'v2' });

test('a subset without workloads is pending and lists existing values; adding and deleting a workload changes that', () => {
  const plane = planeWith(V1, workload('b', { app: 'b', version: 'v2' }), shiftTo({ version: 'v2' }));
  assert.equal(reported(plane), {
    state: 'PENDING',
    reports: [
      'MISSING_SUBSET no workload behind Service x/a of cluster c1 has the labels version=v2 (found: version: v1); it takes effect when such a workload exists',
    ],
  });
  assert.equal(plane.resolved.destinationViews.get(key('c1', 'x', 'a'))?.subsets, []);
  set(plane, V2);
  assert.equal(reported(plane), { state: 'ACCEPTED', reports: [] });
  assert.is(plane.resolved.destinationViews.get(key('c1', 'x', 'a'))?.subsets.length, 1);
  apply(plane, [{ ...V2, gone: true }]);
  assert.is(reported(plane).state, 'PENDING');
});

test('one workload must have all labels', () => {
  const subset = { version: 'v1', tier: 'front' };
  const apart = [V1, workload('a-front', { app: 'a', version: 'v2', tier: 'front' })];
  assert.match(
    reported(planeWith(...apart, shiftTo(subset))).reports[0] ?? '',
    '(found: tier: front; version: v1, v2)',
  );
  assert.is(reported(planeWith(V1, workload('both', { app: 'a', ...subset }), shiftTo(subset))).state, 'ACCEPTED');
});

test('a label that differs among the pods of a workload, as in a rollout, counts with the values of the pods', () => {
  const service = BASE.find(({ cluster, object }) => cluster === 'c1' && object.metadata.name === 'a') as Placed;
  const { kubeService, ...rest } = service.object['spec'] as { kubeService: object };
  const spec = { ...rest, kubeService: { ...kubeService, subsets: { version: { values: ['v1', 'v2'] } } } };
  const rolling = { ...service, object: { ...service.object, spec } };
  const half = workload('a', { app: 'a' });
  assert.is(reported(planeWith(rolling, half, shiftTo({ version: 'v2' }))).state, 'ACCEPTED');
  assert.match(
    reported(planeWith(rolling, half, shiftTo({ version: 'v9' }))).reports[0] ?? '',
    '(found: version: v1, v2)',
  );
});

test('labels of a rollout and of single pods count with the values that the Destination lists', () => {
  const service = BASE.find(({ cluster, object }) => cluster === 'c1' && object.metadata.name === 'a') as Placed;
  const { kubeService, ...rest } = service.object['spec'] as { kubeService: object };
  const subsets = {
    'pod-template-hash': { values: ['5d9'] },
    'statefulset.kubernetes.io/pod-name': { values: [], ranges: [{ prefix: 'web-', from: 0, to: 2 }] },
  };
  const spec = { ...rest, kubeService: { ...kubeService, subsets } };
  const listed = { ...service, object: { ...service.object, spec } };
  const state = (subset: Labels) => reported(planeWith(listed, V1, shiftTo(subset)));
  for (const name of ['web-0', 'web-2'])
    assert.is(state({ 'statefulset.kubernetes.io/pod-name': name }).state, 'ACCEPTED', name);
  for (const name of ['web-3', 'web-02', 'web-1e0', 'db-0'])
    assert.is(state({ 'statefulset.kubernetes.io/pod-name': name }).state, 'PENDING', name);
  assert.match(
    state({ 'statefulset.kubernetes.io/pod-name': 'web-3' }).reports[0] ?? '',
    '(found: statefulset.kubernetes.io/pod-name: web-0 to web-2)',
  );
  assert.is(state({ 'pod-template-hash': '5d9', app: 'a' }).state, 'ACCEPTED');
  assert.is(state({ 'pod-template-hash': '6f1' }).state, 'PENDING');
});

test('without known workloads of the Service, no subset is reported as missing', () => {
  assert.is(reported(planeWith(shiftTo({ version: 'v2' }))).state, 'ACCEPTED');
  assert.is(reported(planeWith(workload('b', { app: 'b' }), shiftTo({ version: 'v2' }))).state, 'ACCEPTED');
});

test('a subset in another cluster is searched there', () => {
  const otherClusters = workload('a', { app: 'a', version: 'v1' }, 'x', 'c2');
  const plane = planeWith(V1, V2, otherClusters, shiftTo({ version: 'v2' }, { target: 'c2' }));
  assert.match(
    reported(plane).reports[0] ?? '',
    'Service x/a of cluster c2 has the labels version=v2 (found: version: v1)',
  );
});

test('a policy without access to the subsets gets no labels in reports', () => {
  const secret = workload('a', { app: 'a', version: 'secret' }, 'x', 'c2');
  const plane = planeWith(secret, shiftTo({ version: 'v2' }, { cluster: 'c1', target: 'c2' }));
  const id = key('TrafficPolicy', 'c1', 'policies', 'p');
  const text = JSON.stringify(plane.statuses.get(id)?.status);
  assert.match(text, 'REF_NOT_PERMITTED');
  assert.not.match(text, 'secret');
});

test('workloads of other namespaces and clusters recompute nothing; one more of the same re-renders no route', () => {
  const plane = planeWith(V1, V2, shiftTo({ version: 'v2' }));
  const runs = () => plane.graph.counters().get('resolve/missing')?.recomputed ?? 0;
  const routes = () => plane.graph.counters().get('translate/destinations/attempts')?.recomputed ?? 0;
  const [before, routed] = [runs(), routes()];
  set(plane, workload('else', { app: 'b' }, 'y'), workload('else', { app: 'a' }, 'x', 'c2'));
  assert.is(runs(), before);
  set(plane, workload('more', { app: 'a', version: 'v3' }));
  assert.is(runs(), before + 1);
  assert.is(routes(), routed);
});

test.run();
