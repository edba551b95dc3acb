/**
 * One kind of the management cluster, against an API server: its sync, its version, and absences that are not
 * deletions.
 */
import type { KindName, KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import type { KubeObject as SimObject } from '@meshrelay/kube-sim';
import { silentLogger, silentTracer } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { KindInput } from '../../src/input/kind-input.ts';
import { type BareCluster, startBareCluster } from '../support/cluster.ts';
import { kubernetesCluster, timeoutPolicy } from '../support/discovered.ts';
import { newFleet } from '../support/fleet.ts';

function watching({ connection }: BareCluster, kind: KindName, indispensable = true) {
  const fleet = newFleet();
  let changes = 0;
  const input = new KindInput({
    kind,
    connection,
    fleet,
    namespace: 'meshrelay',
    indispensable,
    logger: silentLogger,
    tracer: silentTracer,
    changed: () => {
      changes += 1;
    },
  });
  const names = (): string =>
    [...fleet.fleetState.clusters.entries()]
      .map(([, { name }]) => name)
      .sort()
      .join();
  return { input, fleet, names, changes: () => changes, [Symbol.asyncDispose]: () => input[Symbol.asyncDispose]() };
}

const remove = ({ sim }: BareCluster, { apiVersion, kind, metadata: { name } }: KubeObject): void =>
  sim.objects.delete({ apiVersion, kind, namespace: 'meshrelay', name });

const crdOf = (plural: string, group: string): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {},
});

test('it is unsynced until the first complete list, and its objects are in the graph by then', async () => {
  await using cluster = await startBareCluster(kubernetesCluster('c1'), kubernetesCluster('c2'));
  await using one = watching(cluster, 'KubernetesCluster');
  assert.match(one.input.unknown ?? '', 'not been listed');
  await eventually('it is known', () => one.input.unknown === undefined);
  assert.is(one.names(), 'c1,c2');
  assert.ok(one.changes() > 0);
});

test('versions increase with changes and deletions, and a restart is never behind', async () => {
  await using cluster = await startBareCluster(kubernetesCluster('c1'));
  const newer = (a: { term: number; seq: number }, b: { term: number; seq: number }): boolean =>
    a.term > b.term || (a.term === b.term && a.seq > b.seq);
  await using one = watching(cluster, 'KubernetesCluster');
  await eventually('it is known', () => one.input.unknown === undefined);
  const first = one.input.version;
  cluster.sim.objects.create(kubernetesCluster('c2') as unknown as SimObject);
  await eventually('the new one is there', () => one.names() === 'c1,c2');
  const second = one.input.version;
  assert.ok(newer(second, first));
  remove(cluster, kubernetesCluster('c2'));
  await eventually('it is gone', () => one.names() === 'c1');
  const third = one.input.version;
  assert.ok(newer(third, second), JSON.stringify([third, second]));
  await using other = watching(cluster, 'KubernetesCluster');
  await eventually('another knows, too', () => other.input.unknown === undefined);
  assert.ok(newer(other.input.version, third), 'although the newest object is older than the deletion');
});

test('an older state does not undo an object ingested ahead of the watch', async () => {
  await using cluster = await startBareCluster(kubernetesCluster('c1'));
  await using one = watching(cluster, 'KubernetesCluster');
  await eventually('it is known', () => one.input.unknown === undefined);
  const base = cluster.sim.objects.get({ ...kubernetesCluster('c1'), namespace: 'meshrelay', name: 'c1' });
  assert.ok(base);
  const at = (version: number, suspended: boolean) =>
    ({
      ...base,
      metadata: { ...base.metadata, resourceVersion: String(version) },
      spec: { suspended },
    }) as unknown as KubeObject;
  await one.input.take(at(1_000_000, true));
  await one.input.take(at(999_999, false));
  assert.ok([...one.fleet.fleetState.clusters.entries()][0]?.[1].suspended);
});

test('statuses do not count as changes, and are recorded', async () => {
  const policy = timeoutPolicy('slow', 'c1');
  await using cluster = await startBareCluster(policy);
  await using one = watching(cluster, 'TrafficPolicy', false);
  await eventually('it is known', () => one.input.unknown === undefined);
  let commits = 0;
  one.fleet.listen((changes) => {
    if (changes.of(one.fleet.fleetState.policies).length > 0) commits += 1;
  });
  const stored = cluster.sim.objects.get({ ...policy, namespace: 'meshrelay', name: 'slow' });
  const status = { observedGeneration: 1, state: 'ACCEPTED', conditions: [], targets: [], reports: [] };
  cluster.sim.objects.update({ ...stored, status } as unknown as SimObject, { subresource: 'status' });
  await eventually(
    'the status is known',
    () => one.input.live({ namespace: 'meshrelay', name: 'slow' })?.status !== undefined,
  );
  assert.equal(one.input.live({ namespace: 'meshrelay', name: 'slow' })?.status, status);
  assert.is(commits, 0);
});

test('a kind without its CRD is unsynced, and its objects stay', async () => {
  await using cluster = await startBareCluster(kubernetesCluster('c1'));
  await using one = watching(cluster, 'Settings');
  await eventually('it is known', () => one.input.unknown === undefined);
  const crd = crdOf('settings', 'admin.meshrelay.dev');
  const { apiVersion, kind, metadata } = crd;
  cluster.sim.objects.delete({ apiVersion, kind, name: metadata.name });
  await eventually('it is unknown', () => one.input.unknown !== undefined);
  assert.match(one.input.unknown ?? '', 'CRD is gone');
});

test('a kind that has no CRD yet is waited for', async () => {
  await using cluster = await startBareCluster();
  const crd = crds.find(({ spec }) => spec.names.kind === 'KubernetesCluster');
  assert.ok(crd);
  const { apiVersion, kind, metadata } = crd;
  cluster.sim.objects.delete({ apiVersion, kind, name: metadata.name });
  await using one = watching(cluster, 'KubernetesCluster');
  assert.match(one.input.unknown ?? '', 'not been listed');
  await eventually(
    'its CRD is gone',
    () => cluster.sim.objects.get({ apiVersion, kind, name: metadata.name }) === undefined,
  );
  cluster.sim.objects.create(crd as unknown as SimObject);
  await eventually('it can be used', () => cluster.sim.objects.create(kubernetesCluster('c1') as unknown as SimObject));
  await eventually('it is known', () => one.input.unknown === undefined && one.names() === 'c1');
});

test('an unreadable object keeps its last good state, and makes an indispensable kind unsynced', async () => {
  await using cluster = await startBareCluster(kubernetesCluster('c1'));
  await using one = watching(cluster, 'KubernetesCluster');
  await eventually('it is known', () => one.input.unknown === undefined);
  const broken = { ...kubernetesCluster('c1'), spec: { suspended: 'perhaps' } };
  await one.input.take({ ...broken, metadata: { ...broken.metadata, resourceVersion: '1000000' } });
  assert.is(one.names(), 'c1');
  assert.match(one.input.unknown ?? '', 'meshrelay/c1 cannot be read');
  assert.is(one.input.unreadable, 1);
  const corrected = kubernetesCluster('c1');
  await one.input.take({ ...corrected, metadata: { ...corrected.metadata, resourceVersion: '1000001' } });
  assert.is(one.input.unknown, undefined);
});

test('an unreadable policy is present, and reports why', async () => {
  const policy = timeoutPolicy('slow', 'c1');
  await using cluster = await startBareCluster(policy);
  await using one = watching(cluster, 'TrafficPolicy', false);
  await eventually('it is known', () => one.fleet.fleetState.policies.size === 1);
  const metadata = { ...policy.metadata, uid: 'u', generation: 2, resourceVersion: '1000000' };
  const broken = { ...policy, metadata, spec: { policy: { requestTimeout: 7 } } } as unknown as KubeObject;
  await one.input.take(broken);
  assert.is(one.fleet.fleetState.policies.size, 0);
  const [reported] = [...one.fleet.fleetState.unreadable.entries()].map(([, value]) => value);
  assert.is(reported?.uid, 'u');
  assert.is(reported?.generation, 2);
  assert.match(reported?.reports[0]?.message ?? '', 'requestTimeout must be a duration');
  assert.is(one.input.unreadable, 1);
  await one.input.take({ ...policy, metadata: { ...metadata, resourceVersion: '1000001' } } as KubeObject);
  assert.is(one.fleet.fleetState.unreadable.size, 0);
  assert.is(one.fleet.fleetState.policies.size, 1);
});

test('a refresh ingests changes that the watch has not delivered, including deletions', async () => {
  await using cluster = await startBareCluster(kubernetesCluster('c1'));
  await using one = watching(cluster, 'KubernetesCluster');
  await eventually('it is known', () => one.input.unknown === undefined);
  const ghost = kubernetesCluster('ghost');
  await one.input.take({ ...ghost, metadata: { ...ghost.metadata, resourceVersion: '1' } });
  assert.is(one.names(), 'c1,ghost');
  const before = one.input.version;
  await one.input.refresh(0);
  assert.is(one.names(), 'c1');
  assert.ok(one.input.version.term > before.term || one.input.version.seq > before.seq);
  await one.input.take({ ...ghost, metadata: { ...ghost.metadata, resourceVersion: '1' } });
  await one.input.refresh(1_000);
  assert.is(one.names(), 'c1,ghost', 'shortly after nothing is listed');
  await one.input.refresh(10_000);
  assert.is(one.names(), 'c1');
});

test('a failed refresh is retried until it succeeds, since no later event triggers it', async () => {
  await using cluster = await startBareCluster(kubernetesCluster('c1'));
  await using one = watching(cluster, 'KubernetesCluster');
  await eventually('it is known', () => one.input.unknown === undefined);
  const ghost = kubernetesCluster('ghost');
  await one.input.take({ ...ghost, metadata: { ...ghost.metadata, resourceVersion: '1' } });
  const match = { verbs: ['list'], resource: 'kubernetesclusters' };
  const fault = cluster.sim.faults.add({ match, fault: { kind: 'error', code: 503 } });
  const refreshed = one.input.refresh(0);
  await eventually('a list is refused', () => fault.struck > 0);
  assert.is(one.names(), 'c1,ghost');
  fault[Symbol.dispose]();
  await refreshed;
  assert.is(one.names(), 'c1');
});

test.run();
