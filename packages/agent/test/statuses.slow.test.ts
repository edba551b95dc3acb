/** Statuses of the policies in a workload cluster: the agent writes them as the server computes them. */
import type { Condition, KubeObject, PolicyStatus } from '@meshrelay/api';
import { OWNER_LABEL, objectStatus } from '@meshrelay/relay-core';
import { NAMESPACE, output, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { register, startReplica } from './harness/agents.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();
const NETWORKING = 'networking.meshrelay.dev/v1alpha1';

const policy = {
  apiVersion: NETWORKING,
  kind: 'TrafficPolicy',
  metadata: { name: 'slow', namespace: 'shop' },
  spec: { policy: { requestTimeout: '5s' } },
};
const REF = { kind: 'TrafficPolicy', cluster: 'cluster-1', namespace: 'shop', name: 'slow' };

/** The status in the form that the server sends. */
function status(applied: 'True' | 'False', ref: typeof REF = REF): KubeObject {
  const conditions = [{ type: 'Applied', status: applied, reason: 'Test', message: 'as the test says' }];
  const evaluated = { observedGeneration: 1, state: 'ACCEPTED', conditions, targets: [], targetCount: 0, reports: [] };
  return objectStatus(ref, evaluated, NAMESPACE).object as unknown as KubeObject;
}

async function scene() {
  await using cleanup = new AsyncDisposableStack();
  const cluster = cleanup.use(await TestCluster.start({ objects: [policy] as never }));
  const relay = cleanup.use(await TestRelay.start(authority));
  register(cluster, relay, authority);
  const agent = cleanup.use(await startReplica(cluster, relay));
  const rest = cleanup.move();
  const live = (): PolicyStatus | undefined =>
    cluster.get('TrafficPolicy', 'slow', 'shop', NETWORKING)?.['status'] as PolicyStatus | undefined;
  const version = () => cluster.get('TrafficPolicy', 'slow', 'shop', NETWORKING)?.metadata.resourceVersion;
  const applied = (): Condition | undefined => live()?.conditions.find(({ type }) => type === 'Applied');
  const settled = (): Promise<unknown> =>
    eventually('the commit is applied', () => relay.applied === relay.outputs.vector, {
      seen: () => agent.log.lines.slice(-5),
    });
  return { cluster, relay, live, version, applied, settled, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

test('it is written with the times of its conditions, and once', async () => {
  await using run = await scene();
  run.relay.commit({ upserts: [status('False')] });
  await run.settled();
  assert.equal([run.live()?.state, run.applied()?.status], ['ACCEPTED', 'False']);
  const time = run.applied()?.lastTransitionTime;
  assert.match(time ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const version = run.version();
  run.relay.commit({ upserts: [status('False'), output('VirtualService', 'more')] });
  await run.settled();
  assert.is(run.version(), version, 'the same again writes nothing');
  run.relay.commit({ upserts: [status('True')] });
  await run.settled();
  assert.is(run.applied()?.status, 'True');
  assert.equal(run.relay.refused, []);
});

test('the status of a deleted policy is ignored', async () => {
  await using run = await scene();
  run.cluster.delete('TrafficPolicy', 'slow', 'shop', NETWORKING);
  run.relay.commit({ upserts: [status('True')] });
  await run.settled();
  run.relay.commit({ deletes: [status('True')] });
  await run.settled();
  assert.is(run.live(), undefined);
  assert.equal(run.relay.refused, []);
});

test('no status except that of a policy, of its own namespace, is accepted', async () => {
  await using run = await scene();
  const foreign = status('True', { ...REF, kind: 'Secret' });
  const otherPlace = { ...status('True'), metadata: { ...status('True').metadata, namespace: 'istio-system' } };
  const unmarked = { ...status('True'), metadata: { name: 'trafficpolicy.slow', namespace: 'shop' } };
  run.relay.commit({ upserts: [foreign, otherPlace, unmarked] });
  await eventually('all are refused', () => run.relay.refused.length === 3, { seen: () => run.relay.refused });
  assert.equal(run.relay.refused.map(({ code }) => code).sort(), [
    'ENVELOPE_MISMATCH',
    'ENVELOPE_MISMATCH',
    'OTHER_OWNER',
  ]);
  assert.is(run.live(), undefined);
  assert.ok(foreign.metadata.labels?.[OWNER_LABEL] === NAMESPACE);
});

test.run();
