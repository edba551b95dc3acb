/**
 * The end of a registration: data is deleted at once if the deletion was observed, and otherwise only if the API server
 * confirms it.
 */
import { key } from '@meshrelay/relay-core';
import { MemoryStore } from '@meshrelay/store';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { Connections } from '../../src/relay/connections.ts';
import { Deregistration } from '../../src/relay/deregistration.ts';
import type { Fleet } from '../../src/store/fleet.ts';
import { EDIT, OBSERVED } from '../../src/store/input-cause.ts';
import { kubernetesCluster, mesh } from '../support/discovered.ts';
import { batch, declare, fleetOf, MESH, newFleet } from '../support/fleet.ts';

function deregistrationOf(fleet: Fleet, exists: () => boolean) {
  const done: string[] = [];
  const deregistration = new Deregistration({
    fleet,
    outputs: { end: (name) => done.push(`outputs of ${name} end`) },
    connections: new Connections(),
    closeStreams: (name) => done.push(`streams of ${name} end`),
    confirm: async (name) => {
      done.push(`asked for ${name}`);
      return !exists();
    },
    logger: silentLogger,
  });
  return { deregistration, done };
}

/** Data of a cluster in the store, written by another replica before this one had synced the registrations. */
async function restored() {
  const store = new MemoryStore();
  await store.open({ cluster: 'c1', term: 1, kinds: [MESH] });
  await store.write(batch('c1', 1, [mesh('c1')]));
  const fleet = newFleet(store);
  await fleet.restore();
  return { store, fleet };
}

async function heard(exists: boolean) {
  const fleet = await fleetOf('c1');
  await fleet.open('c1', 1, [MESH]);
  await fleet.accept(batch('c1', 1, [mesh('c1')]));
  const { deregistration, done } = deregistrationOf(fleet, () => exists);
  deregistration.check();
  await fleet.write((transaction, fleetState) => transaction.delete(fleetState.clusters, key('c1')));
  return { fleet, deregistration, done };
}

test('an observed deletion needs no confirmation', async () => {
  const { fleet, deregistration, done } = await heard(true);
  deregistration.check(OBSERVED);
  await eventually('forgotten', () => !fleet.progress.has('c1'));
  assert.equal(done, ['streams of c1 end', 'outputs of c1 end']);
});

test('a cluster missing from a list is confirmed first; an existing one keeps its data, and gets nothing meanwhile', async () => {
  const { fleet, deregistration, done } = await heard(true);
  deregistration.check(EDIT);
  await eventually('asked', () => done.length === 2);
  await new Promise((resume) => setImmediate(resume));
  assert.equal(done, ['streams of c1 end', 'asked for c1']);
  assert.ok(fleet.progress.has('c1'));
  assert.is(fleet.fleetState.meshes.size, 1);
});

test('a cluster confirmed as gone is deleted', async () => {
  const { fleet, deregistration, done } = await heard(false);
  deregistration.check(EDIT);
  await eventually('forgotten', () => !fleet.progress.has('c1'));
  assert.equal(done, ['streams of c1 end', 'asked for c1', 'outputs of c1 end']);
  assert.is(fleet.fleetState.meshes.size, 0);
});

test('store data of an unregistered cluster is not in the fleet state, and is ingested once it is registered', async () => {
  const { store, fleet } = await restored();
  const { deregistration, done } = deregistrationOf(fleet, () => false);
  assert.is(fleet.fleetState.meshes.size, 1);
  assert.ok(fleet.hasStrangers);
  deregistration.check();
  await eventually('it is left out', () => !fleet.hasStrangers);
  assert.is(fleet.fleetState.meshes.size, 0);
  assert.equal([done, await store.clusters()], [[], ['c1']], 'no replica ends a cluster that another has not heard of');
  await declare(fleet, kubernetesCluster('c1'));
  deregistration.check();
  await eventually('it is in', () => fleet.progress.has('c1'));
  assert.is(fleet.fleetState.meshes.size, 1);
});

test('if another replica has deleted a registered cluster, its agents are not admitted until the API server has answered', async () => {
  const fleet = await fleetOf('c1');
  const answer = Promise.withResolvers<void>();
  let exists = false;
  const { deregistration, done } = deregistrationOf(fleet, () => {
    if (done.length > 2) answer.resolve();
    return exists;
  });
  assert.not(deregistration.isEndedOnPeer('c1'));
  deregistration.deletedOnPeer('c1');
  assert.ok(deregistration.isEndedOnPeer('c1'));
  await eventually('asked', () => done.length === 2);
  assert.equal(done, ['streams of c1 end', 'asked for c1']);
  assert.ok(deregistration.isEndedOnPeer('c1'), 'it has ended, which the watch reports next');
  exists = true;
  await answer.promise;
  await eventually('it is registered after all', () => !deregistration.isEndedOnPeer('c1'));
});

test('the deletion by another replica counts until that announces the cluster again, or its end is observed here', async () => {
  const fleet = await fleetOf('c1', 'c2');
  const { deregistration } = deregistrationOf(fleet, () => false);
  for (const cluster of ['c1', 'c2', 'unknown']) deregistration.deletedOnPeer(cluster);
  assert.not(deregistration.isEndedOnPeer('unknown'), 'that is known here');
  deregistration.onPeerAnnouncement('c1');
  assert.not(deregistration.isEndedOnPeer('c1'));
  await fleet.write((transaction, fleetState) => transaction.delete(fleetState.clusters, key('c2')));
  deregistration.check(OBSERVED);
  assert.not(deregistration.isEndedOnPeer('c2'));
  deregistration[Symbol.dispose]();
});

test.run();
