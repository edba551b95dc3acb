/**
 * An agent that starts while the server is gone: applied objects stay, drift is repaired, and deleted objects stay
 * deleted.
 */

import { NAMESPACE, output, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { metric, register, startReplica } from './harness/agents.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();
const hosts = (cluster: TestCluster, name: string): unknown =>
  (cluster.get('VirtualService', name)?.['spec'] as { hosts?: unknown } | undefined)?.hosts;

/** A cluster that has a and b, whose agent and server are gone. */
async function abandoned() {
  const cluster = await TestCluster.start();
  const relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  relay.commit({
    upserts: ['a', 'b', 'c'].map((name) => output('VirtualService', name, { hosts: [name] })),
  });
  const agent = await startReplica(cluster, relay);
  await eventually('applied', () => cluster.names('VirtualService').length === 3);
  await eventually('kept', async () => (await metric(agent, 'inventory_outputs')) === 3);
  relay.commit({ deletes: [output('VirtualService', 'c')] });
  await eventually('c is gone', () => cluster.get('VirtualService', 'c') === undefined);
  await agent[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
  return { cluster, relay };
}

test('drift is repaired from the inventory; nothing else is touched', async () => {
  const { cluster, relay } = await abandoned();
  await using _ = cluster;
  cluster.delete('VirtualService', 'a');
  const b = cluster.get('VirtualService', 'b');
  cluster.sim.objects.update({ ...b, spec: { hosts: ['changed'] } } as never);
  const foreign = {
    ...output('VirtualService', 'users', { hosts: ['u'] }),
    metadata: { name: 'users', namespace: 'shop' },
  };
  cluster.sim.objects.create(foreign as never);
  await using agent = await startReplica(cluster, relay);
  await eventually('a is back', () => JSON.stringify(hosts(cluster, 'a')) === '["a"]', {
    seen: () => agent.log.lines.slice(-5),
  });
  await eventually('b is as it was', () => JSON.stringify(hosts(cluster, 'b')) === '["b"]');
  assert.is(cluster.get('VirtualService', 'c'), undefined, 'what was deleted does not come back');
  assert.ok(cluster.get('VirtualService', 'users'));
  assert.is(await metric(agent, 'relay_connected'), 0);
  cluster.delete('VirtualService', 'b');
  await eventually('later drift is repaired, too', () => cluster.get('VirtualService', 'b'));
});

test('an object of a newer output than the one in the inventory stays unchanged', async () => {
  const { cluster, relay } = await abandoned();
  await using _ = cluster;
  const a = cluster.get('VirtualService', 'a');
  const annotations = { ...a?.metadata.annotations, 'meshrelay.dev/applied': 'a-newer-hash' };
  cluster.sim.objects.update({ ...a, metadata: { ...a?.metadata, annotations }, spec: { hosts: ['newer'] } } as never);
  cluster.delete('VirtualService', 'b');
  await using _agent = await startReplica(cluster, relay);
  await eventually('b is back', () => cluster.get('VirtualService', 'b'));
  assert.equal(hosts(cluster, 'a'), ['newer']);
});

test('the returning server decides: objects that it no longer wants are deleted, from the inventory too', async () => {
  const { cluster } = await abandoned();
  await using _ = cluster;
  // It responds, and has nothing to send yet.
  await using again = await TestRelay.start(authority);
  await using agent = await startReplica(cluster, again);
  await eventually('connected', async () => (await metric(agent, 'relay_connected')) === 1);
  await eventually('restored', async () => (await metric(agent, 'desired_outputs')) === 2);
  again.commit({
    upserts: [output('VirtualService', 'b', { hosts: ['b2'] })],
    vector: new Map([['cluster-1', { term: 1, seq: 9 }]]),
  });
  await eventually('b is as the server says', () => JSON.stringify(hosts(cluster, 'b')) === '["b2"]', {
    seen: () => agent.log.lines.slice(-5),
  });
  await eventually('a goes', () => cluster.get('VirtualService', 'a') === undefined);
  await eventually('it is not kept', async () => (await metric(agent, 'inventory_outputs')) === 1);
});

test('the inventory contains no Secret, and manipulated entries are admitted like outputs of a server', async () => {
  const { cluster, relay } = await abandoned();
  await using _ = cluster;
  const shards = cluster.sim.objects
    .list({ apiVersion: 'admin.meshrelay.dev/v1alpha1', kind: 'OutputLedger' }, NAMESPACE)
    .filter(({ metadata }) => metadata.name?.startsWith('agent-outputs-'));
  assert.ok(shards.length > 0);
  for (const shard of shards) {
    const spec = shard['spec'] as { outputs: string };
    cluster.sim.objects.update({ ...shard, spec: { ...spec, outputs: 'bm9uc2Vuc2U=' } } as never);
  }
  cluster.delete('VirtualService', 'a');
  await using agent = await startReplica(cluster, relay);
  await eventually('it continues without', () =>
    agent.log.lines.some((line) => line.includes('a part of the inventory cannot be read')),
  );
  await eventually('it leads', () => agent.term !== undefined);
  assert.is(cluster.get('VirtualService', 'a'), undefined);
  assert.ok(cluster.get('VirtualService', 'b'), 'and nothing is taken for unwanted');
});

test.run();
