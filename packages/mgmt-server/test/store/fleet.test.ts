/** The fleet: how inputs are ingested, their progress, and how they are deleted. */
import { key } from '@meshrelay/relay-core';
import { kindId, type RelayError } from '@meshrelay/relay-protocol';
import { MemoryStore } from '@meshrelay/store';
import { assert, test } from '@meshrelay/testing';
import { destination, istioCluster, kubernetesCluster, mesh, timeoutPolicy } from '../support/discovered.ts';
import { envelopeOf } from '../support/envelope.ts';
import { batch, DESTINATION, declare, fleetOf, MESH, newFleet } from '../support/fleet.ts';

const rejected = (work: Promise<unknown>): Promise<RelayError> =>
  work.then(
    () => assert.unreachable() as never,
    (error: RelayError) => error,
  );

test('a cluster is synced when all its kinds are', async () => {
  const fleet = await fleetOf('c1');
  await fleet.open('c1', 1, [MESH, DESTINATION]);
  await fleet.accept(batch('c1', 1, [mesh('c1')]));
  assert.equal(fleet.progress.get('c1'), {
    version: { term: 1, seq: 1 },
    complete: false,
    compared: { term: 1, seq: 1 },
  });
  await fleet.accept(batch('c1', 2, [destination('c1', 'reviews', 1)], { kind: DESTINATION }));
  assert.equal(fleet.progress.get('c1'), {
    version: { term: 1, seq: 2 },
    complete: true,
    compared: { term: 1, seq: 2 },
  });
});

test('a term with more kinds is not synced before these are', async () => {
  const fleet = await fleetOf('c1');
  await fleet.open('c1', 1, [MESH]);
  await fleet.accept(batch('c1', 1, [mesh('c1')]));
  assert.ok(fleet.progress.get('c1')?.complete);
  await fleet.open('c1', 2, [MESH, DESTINATION]);
  assert.not(fleet.progress.get('c1')?.complete);
});

test('a cluster is never complete before its objects are visible', async () => {
  const fleet = await fleetOf('c1');
  await fleet.open('c1', 1, [DESTINATION]);
  const destinations = Array.from({ length: 300 }, (_, index) => destination('c1', `s${index}`, 1));
  const accepting = fleet.accept(batch('c1', 1, destinations, { kind: DESTINATION }));
  let attempts = 0;
  const check = (): void => {
    if (fleet.progress.get('c1')?.complete === true) assert.is(fleet.fleetState.destinations.size, 300);
    attempts += 1;
  };
  fleet.listen(check);
  const timer = setInterval(check, 0);
  await accepting;
  clearInterval(timer);
  check();
  assert.ok(attempts > 1);
});

test('an older term and a replayed batch are rejected', async () => {
  const fleet = await fleetOf('c1');
  await fleet.open('c1', 2, [MESH]);
  await fleet.accept(batch('c1', 1, [mesh('c1')], { term: 2 }));
  assert.is((await rejected(fleet.open('c1', 1, [MESH]))).code, 'RELAY_E_FENCED');
  assert.is((await rejected(fleet.accept(batch('c1', 1, [], { term: 2 })))).code, 'RELAY_E_FENCED');
  assert.is(fleet.fleetState.meshes.size, 1);
});

test('rejected objects keep their earlier state, and the rest is accepted', async () => {
  const fleet = await fleetOf('c1');
  await fleet.open('c1', 1, [DESTINATION]);
  await fleet.accept(batch('c1', 1, [destination('c1', 'reviews', 1)], { kind: DESTINATION }));
  const broken = { ...destination('c1', 'reviews', 1), spec: { kubeService: 'nonsense' } };
  const rejections = await fleet.accept(
    batch('c1', 2, [broken, destination('c1', 'ratings', 1)], { kind: DESTINATION }),
  );
  assert.equal(
    rejections.map(({ key: { name }, code }) => [name, code]),
    [['reviews', 'INVALID_SCHEMA']],
  );
  assert.is(fleet.fleetState.destinations.size, 2);
  assert.ok(fleet.fleetState.destinations.has(key('c1', 'bookinfo', 'reviews')));
});

test('deleting a cluster removes all its data, and none is ingested afterwards', async () => {
  const fleet = await fleetOf('c1', 'c2');
  for (const name of ['c1', 'c2']) {
    await fleet.open(name, 1, [
      MESH,
      DESTINATION,
      { group: 'networking.meshrelay.dev', version: 'v1alpha1', kind: 'TrafficPolicy' },
    ]);
    await fleet.accept(batch(name, 1, [mesh(name)]));
    fleet.contentIndex(name).set(envelopeOf(mesh(name)), { hash: 'x', bytes: 1 });
  }
  const policy = { group: 'networking.meshrelay.dev', version: 'v1alpha1', kind: 'TrafficPolicy' };
  await fleet.accept(batch('c1', 2, [timeoutPolicy('own', 'c1')], { kind: policy }));
  const forgetting = fleet.forget('c1');
  const late = rejected(fleet.accept(batch('c1', 3, [mesh('c1')])));
  await forgetting;
  assert.is((await late).code, 'RELAY_E_UNAVAILABLE');
  assert.equal(
    [...fleet.fleetState.meshes.entries()].map(([each]) => each),
    [key('c2', 'istio-system', 'istiod')],
  );
  assert.is(fleet.fleetState.policies.size, 0);
  assert.equal([...fleet.progress.keys()], ['c2']);
  assert.is(fleet.contentIndex('c1').count(kindId(MESH)), 0, 'the agent must send its objects again');
  assert.is(fleet.contentIndex('c2').count(kindId(MESH)), 1);
});

test('stored data is restored after a restart, and later deletions apply', async () => {
  const store = new MemoryStore();
  const before = newFleet(store);
  await declare(before, kubernetesCluster('c1'));
  await before.open('c1', 1, [MESH]);
  await before.accept(batch('c1', 1, [mesh('c1')]));
  const after = newFleet(store);
  await after.restore();
  assert.equal(after.progress.get('c1'), {
    version: { term: 1, seq: 1 },
    complete: true,
    compared: { term: 1, seq: 1 },
  });
  assert.is(after.fleetState.meshes.size, 1);
  assert.is(after.contentIndex('c1').count(kindId(MESH)), 1, 'or the agent would not send its deletions since then');
});

test('a replica that ingests data of another’s comparison claims no more than that one', async () => {
  const store = new MemoryStore();
  const comparing = newFleet(store);
  await declare(comparing, kubernetesCluster('c1'));
  await comparing.open('c1', 1, [MESH, DESTINATION]);
  await comparing.accept(batch('c1', 1, [mesh('c1')]));
  // The next leader sends unchanged kinds first; the changed ones are not here yet.
  await comparing.open('c1', 2, [MESH, DESTINATION]);
  await comparing.accept(batch('c1', 1, [], { term: 2, followed: false, inStep: false }));
  const compared = { term: 1, seq: 1 };
  assert.equal(comparing.progress.get('c1')?.compared, compared);
  const third = newFleet(store);
  await third.restore();
  assert.equal(third.progress.get('c1')?.version, { term: 2, seq: 1 });
  assert.equal(third.progress.get('c1')?.compared, compared, 'or its outputs would claim inputs that it lacks');
  await comparing.accept(batch('c1', 2, [], { term: 2, kind: DESTINATION, followed: false, inStep: true }));
  await third.compare('c1');
  assert.equal(third.progress.get('c1')?.compared, { term: 2, seq: 2 });
});

test('a failing listener fails neither the write nor the other listeners', async () => {
  const fleet = await fleetOf('c1');
  let reported = 0;
  fleet.listen(() => {
    throw new Error('bug');
  });
  fleet.listen(() => {
    reported += 1;
  });
  await fleet.open('c1', 1, [MESH]);
  await fleet.accept(batch('c1', 1, istioCluster('c1', 1).slice(0, 1)));
  assert.ok(reported > 0);
});

test.run();
