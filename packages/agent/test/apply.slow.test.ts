/** Which objects the agent writes in its cluster, and which it never touches. */

import type { KubeObject } from '@meshrelay/api';
import { openCrd } from '@meshrelay/kube-sim';
import { OWNER_LABEL, TERM_ANNOTATION } from '@meshrelay/relay-core';
import { ISTIO, NAMESPACE, output, TestCluster } from '@meshrelay/test-cluster';
import { testMesh } from '@meshrelay/test-mesh';
import { assert, eventually, test } from '@meshrelay/testing';
import { metric, register, startReplica, type TestAgent } from './harness/agents.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();

interface Scene extends AsyncDisposable {
  readonly cluster: TestCluster;
  readonly relay: TestRelay;
  readonly agent: TestAgent;
}

async function scene(options: Parameters<typeof TestCluster.start>[0] = {}): Promise<Scene> {
  await using cleanup = new AsyncDisposableStack();
  const cluster = cleanup.use(await TestCluster.start(options));
  const relay = cleanup.use(await TestRelay.start(authority));
  register(cluster, relay, authority);
  const agent = cleanup.use(await startReplica(cluster, relay));
  const rest = cleanup.move();
  return { cluster, relay, agent, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

const unmanaged = (name: string, labels: Record<string, string> = {}) => ({
  apiVersion: ISTIO,
  kind: 'VirtualService',
  metadata: { name, namespace: 'shop', labels },
  spec: { hosts: ['theirs'] },
});

/** Whether the Gateway `edge` has this `n`. */
const edgeSays = ({ cluster }: Scene, n: number): boolean =>
  (cluster.get('Gateway', 'edge')?.['spec'] as { n: number } | undefined)?.n === n;

/** Waits until everything committed so far got a response. */
const settled = ({ relay, agent }: Scene): Promise<unknown> =>
  eventually('the commit is applied', () => relay.applied === relay.outputs.vector, {
    seen: () => agent.log.lines.slice(-5),
  });

test('outputs appear and change as the server sends them, with Meshrelay marks and field manager', async () => {
  await using run = await scene();
  run.relay.commit({ upserts: [output('VirtualService', 'reviews', { hosts: ['a'], http: [{ name: 'x' }] })] });
  await settled(run);
  const stored = run.cluster.get('VirtualService', 'reviews');
  assert.is(stored?.metadata.labels?.[OWNER_LABEL], NAMESPACE);
  assert.is(stored?.metadata.annotations?.[TERM_ANNOTATION], '1');
  assert.match(stored?.metadata.annotations?.['meshrelay.dev/applied'] ?? '', /^[0-9a-f]{32}$/);
  const managers = stored?.metadata.managedFields as Array<{ manager: string; operation: string }>;
  assert.equal(
    managers.map(({ manager, operation }) => [manager, operation]),
    [['meshrelay-agent', 'Apply']],
  );
  run.relay.commit({ upserts: [output('VirtualService', 'reviews', { hosts: ['a', 'b'] })] });
  await settled(run);
  assert.equal(
    run.cluster.get('VirtualService', 'reviews')?.['spec'],
    { hosts: ['a', 'b'] },
    'what is left out is removed',
  );
  run.relay.commit({ deletes: [output('VirtualService', 'reviews')] });
  await settled(run);
  assert.is(run.cluster.get('VirtualService', 'reviews'), undefined);
});

test('an object without the owner label is never touched, and the server receives its key', async () => {
  await using run = await scene({
    objects: [unmanaged('reviews'), unmanaged('ratings', { [OWNER_LABEL]: 'another-installation' })],
  });
  const before = ['reviews', 'ratings'].map((name) => run.cluster.get('VirtualService', name));
  run.relay.commit({
    upserts: [
      output('VirtualService', 'reviews'),
      output('VirtualService', 'ratings'),
      output('VirtualService', 'own'),
    ],
  });
  await settled(run);
  assert.equal(run.relay.refused.map(({ code, key }) => [code, key.name]).sort(), [
    ['UNMANAGED_OBJECT_EXISTS', 'ratings'],
    ['UNMANAGED_OBJECT_EXISTS', 'reviews'],
  ]);
  assert.ok(run.cluster.get('VirtualService', 'own'), 'the rest continues');
  run.relay.commit({ deletes: [output('VirtualService', 'reviews'), output('VirtualService', 'ratings')] });
  await settled(run);
  assert.equal(
    ['reviews', 'ratings'].map((name) => run.cluster.get('VirtualService', name)),
    before,
  );
});

test('a rejected object is applied and reported once the user removes the conflict', async () => {
  await using run = await scene({ objects: [unmanaged('reviews')] });
  run.relay.commit({ upserts: [output('VirtualService', 'reviews', { hosts: ['generated'] })] });
  await settled(run);
  assert.is(run.relay.refused.length, 1);
  run.cluster.delete('VirtualService', 'reviews');
  await eventually('the generated object takes its place', () => run.cluster.get('VirtualService', 'reviews'));
  assert.equal(run.cluster.get('VirtualService', 'reviews')?.['spec'], { hosts: ['generated'] });
  await eventually('the server is asked to compare', () => run.relay.resyncs.length > 0);
});

test('kinds that no plugin writes, objects of other owners and mislabelled ones are rejected', async () => {
  await using run = await scene();
  const role: KubeObject = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'all', labels: { [OWNER_LABEL]: NAMESPACE } },
    spec: {},
  };
  run.relay.commit({
    upserts: [role, output('VirtualService', 'unlabelled', {}, 'someone-else'), output('VirtualService', 'good')],
  });
  await settled(run);
  await eventually('both are refused', () => run.relay.refused.length === 2, { seen: () => run.relay.refused });
  assert.equal(run.relay.refused.map(({ code }) => code).sort(), ['NOT_ALLOWED', 'OTHER_OWNER']);
  assert.equal(run.cluster.names('VirtualService'), ['good']);
  assert.is(run.cluster.get('ClusterRole', 'all', '', 'rbac.authorization.k8s.io/v1'), undefined);
});

test('a managed object that is not desired is deleted once all desired outputs are known, and not before', async () => {
  const leftover = (name: string) => ({ ...output('VirtualService', name), spec: {} });
  await using run = await scene({ objects: [leftover('old'), leftover('kept'), unmanaged('users')] as never });
  run.relay.commit({ upserts: [output('VirtualService', 'new')], complete: false });
  await settled(run);
  assert.equal(run.cluster.names('VirtualService').sort(), ['kept', 'new', 'old', 'users']);
  run.relay.commit({ upserts: [output('VirtualService', 'kept')], complete: true });
  await eventually('the leftover is gone', () => run.cluster.get('VirtualService', 'old') === undefined);
  assert.equal(run.cluster.names('VirtualService').sort(), ['kept', 'new', 'users']);
});

test('a managed object that appears although it is not desired is deleted too', async () => {
  await using run = await scene();
  run.relay.commit({ upserts: [output('VirtualService', 'wanted')] });
  await settled(run);
  run.cluster.sim.objects.create({ ...output('VirtualService', 'restored'), spec: {} } as never);
  await eventually('it is gone', () => run.cluster.get('VirtualService', 'restored') === undefined);
});

test('a deleted or changed object is restored at once', async () => {
  await using run = await scene();
  run.relay.commit({
    upserts: [output('VirtualService', 'reviews', { hosts: ['a'] }), output('Gateway', 'edge', { n: 1 })],
  });
  await settled(run);
  const uid = run.cluster.get('VirtualService', 'reviews')?.metadata.uid;
  const begun = performance.now();
  run.cluster.delete('VirtualService', 'reviews');
  await eventually('it is back', () => run.cluster.get('VirtualService', 'reviews'));
  assert.ok(performance.now() - begun < 1_000, 'within a second');
  assert.is.not(run.cluster.get('VirtualService', 'reviews')?.metadata.uid, uid);
  const edge = run.cluster.get('Gateway', 'edge');
  run.cluster.sim.objects.update({ ...edge, spec: { n: 2 } } as never);
  await eventually('it says what it said', () => edgeSays(run, 1));
  const unlabelled = run.cluster.get('Gateway', 'edge');
  run.cluster.sim.objects.update({ ...unlabelled, spec: { n: 3 } } as never);
  await eventually('again, after a pause', () => edgeSays(run, 1));
});

test('when another writer keeps changing an object, repairs become less and less frequent', async () => {
  await using run = await scene();
  run.relay.commit({ upserts: [output('Gateway', 'edge', { n: 1 })] });
  await settled(run);
  for (const n of [2, 3]) {
    run.cluster.sim.objects.update({ ...run.cluster.get('Gateway', 'edge'), spec: { n } } as never);
    await eventually('repaired', () => edgeSays(run, 1));
  }
  await eventually('it shows', async () => (await metric(run.agent, 'contested_outputs')) === 1);
});

test('applying the same again writes nothing, even from a new process', async () => {
  await using run = await scene();
  const objects = ['a', 'b', 'c'].map((name) => output('DestinationRule', name, { host: name }));
  run.relay.commit({ upserts: objects });
  await settled(run);
  const versions = () =>
    run.cluster.sim.objects
      .list({ apiVersion: ISTIO, kind: 'DestinationRule' })
      .map(({ metadata }) => metadata.resourceVersion);
  const before = versions();
  run.relay.commit({ upserts: objects });
  // The next leader writes once every object that no inventory records.
  await eventually('noted down', async () => (await metric(run.agent, 'inventory_outputs')) === 3);
  await run.agent[Symbol.asyncDispose]();
  await using second = await startReplica(run.cluster, run.relay, { replica: 'agent-1' });
  run.relay.commit({ upserts: [output('VirtualService', 'later')] });
  await eventually('the second leads and applies', () => run.cluster.get('VirtualService', 'later'), {
    seen: () => second.log.lines.slice(-5),
  });
  await settled(run);
  assert.is(second.term, 2);
  assert.equal(versions(), before);
});

test('outputs of older inputs than the applied ones are not accepted, even after a restart', async () => {
  await using run = await scene();
  run.relay.commit({
    upserts: [output('VirtualService', 'reviews', { v: 'new' })],
    vector: new Map([['cluster-1', { term: 3, seq: 9 }]]),
  });
  await settled(run);
  await run.agent[Symbol.asyncDispose]();
  assert.is(run.cluster.ledger()?.inputVector?.['cluster-1'], '3/9');
  await using stale = await TestRelay.start(authority);
  stale.commit({
    upserts: [output('VirtualService', 'reviews', { v: 'old' })],
    vector: new Map([['cluster-1', { term: 3, seq: 8 }]]),
  });
  await using second = await startReplica(run.cluster, stale);
  await eventually(
    'the older ones are seen',
    () => second.log.has('the server has older inputs than the applied outputs'),
    { seen: () => second.log.lines.slice(-5) },
  );
  assert.equal(run.cluster.get('VirtualService', 'reviews')?.['spec'], { v: 'new' });
});

test('outputs wait until their kind is installed', async () => {
  const gateway = testMesh.writes.find(({ kind }) => kind === 'Gateway');
  if (gateway === undefined) throw new Error('the plugin writes no Gateway');
  await using run = await scene({ kinds: testMesh.writes.filter((kind) => kind !== gateway) });
  run.relay.commit({ upserts: [output('Gateway', 'edge'), output('VirtualService', 'reviews')] });
  await eventually('the rest is there', () => run.cluster.get('VirtualService', 'reviews'));
  await eventually('the rejection is reported', () => run.relay.refused.find(({ key }) => key.kind === 'Gateway'));
  run.cluster.sim.objects.create(openCrd(gateway));
  await eventually('it follows its kind', () => run.cluster.get('Gateway', 'edge'), {
    seen: () => run.agent.log.lines.slice(-5),
  });
});

test.run();
