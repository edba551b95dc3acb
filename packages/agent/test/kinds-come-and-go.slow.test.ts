/**
 * Kinds that may not be read, or do not exist any more, through the whole agent: what it knows of them, sends, and
 * ingests again.
 */

import { openCrd } from '@meshrelay/kube-sim';
import { output, TestCluster } from '@meshrelay/test-cluster';
import { testMesh } from '@meshrelay/test-mesh';
import { assert, eventually, test } from '@meshrelay/testing';
import { readiness, register, startReplica } from './harness/agents.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();
const ROUTES = testMesh.writes.find(({ kind }) => kind === 'VirtualService');
assert.ok(ROUTES);
const routes = ROUTES;
const BUSY = { deadline: 60_000 };

async function scene() {
  await using cleanup = new AsyncDisposableStack();
  const cluster = cleanup.use(await TestCluster.start());
  const relay = cleanup.use(await TestRelay.start(authority));
  register(cluster, relay, authority);
  const agent = cleanup.use(await startReplica(cluster, relay));
  const seen = { ...BUSY, seen: () => agent.log.lines.slice(-5) };
  relay.commit({ upserts: [output('VirtualService', 'reviews', { hosts: ['a'] })] });
  const sent = (name: string): boolean =>
    [...relay.inputs.keys()].some((id) => id.includes('VirtualService') && id.endsWith(name));
  await eventually('it is applied, and told', () => sent('reviews'), seen);
  await eventually('ready', async () => (await readiness(agent)).ready, seen);
  const rest = cleanup.move();
  return { cluster, relay, agent, sent, seen, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

test('a kind that may no longer be read (403) keeps its known objects; no deletion is sent, and it syncs when the permission is back', async () => {
  await using run = await scene();
  const { cluster, relay, agent, sent, seen } = run;
  const { faults } = cluster.sim;
  const match = { group: routes.group, resource: routes.plural };
  faults.add({ match: { ...match, verbs: ['list', 'watch'] }, fault: { kind: 'error', code: 403 } });
  const dropped = faults.add({ match, fault: { kind: 'dropped-watch' } });
  await eventually(
    'the watch fails',
    () => agent.log.of('watch failed').some(({ kind }) => kind === 'VirtualService'),
    seen,
  );
  dropped[Symbol.dispose]();
  cluster.sim.objects.create({
    apiVersion: 'networking.istio.io/v1',
    kind: 'VirtualService',
    metadata: { name: 'unmanaged', namespace: 'shop' },
    spec: { hosts: ['x'] },
  });
  // Other kinds continue meanwhile, and so do writes of this one.
  relay.commit({ upserts: [output('DestinationRule', 'other'), output('VirtualService', 'second', { hosts: ['b'] })] });
  await eventually('others are applied', () => cluster.get('DestinationRule', 'other'), seen);
  await eventually('so is one of this kind', () => cluster.get('VirtualService', 'second'), seen);
  assert.ok(cluster.get('VirtualService', 'reviews'), 'it stays in the cluster');
  assert.ok(sent('reviews'), 'no deletion was sent');
  assert.not(sent('unmanaged'), 'the object created meanwhile could not be observed');
  faults.clear();
  await eventually('the object created meanwhile is sent', () => sent('unmanaged'), seen);
  assert.ok(sent('reviews') && sent('second'));
  assert.not(relay.batches.some(({ deletes }) => deletes.some(({ name }) => name === 'reviews')));
});

test('a kind whose CRD is deleted (404) is sent as empty; its outputs are rejected, and are applied when it comes back', async () => {
  await using run = await scene();
  const { cluster, relay, sent, seen } = run;
  const name = `${routes.plural}.${routes.group}`;
  cluster.sim.objects.delete({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name });
  await eventually('its objects are reported as deleted', () => !sent('reviews'), seen);
  relay.commit({ upserts: [output('VirtualService', 'later', { hosts: ['c'] })] });
  await eventually('the rejection is reported', () => relay.refused.some(({ key }) => key.name === 'later'), seen);
  cluster.sim.objects.create(openCrd(routes));
  // The kind's absence does not persist: no restart is needed.
  await eventually('it follows its kind', () => cluster.get('VirtualService', 'later'), seen);
  await eventually('so does what it had', () => cluster.get('VirtualService', 'reviews'), seen);
  await eventually('both are sent', () => sent('later') && sent('reviews'), seen);
});

test.run();
