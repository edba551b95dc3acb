/** The end of a registration: forgotten at once where it was seen, and otherwise only by the API server's word. */
import { key } from '@meshrelay/relay-core';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { Connections } from '../../src/relay/connections.ts';
import { Deregistration } from '../../src/relay/deregistration.ts';
import { EDIT, OBSERVED } from '../../src/store/input-cause.ts';
import { mesh } from '../support/discovered.ts';
import { batch, fleetOf, MESH } from '../support/fleet.ts';

async function heard(exists: boolean) {
  const fleet = await fleetOf('c1');
  await fleet.open('c1', 1, [MESH]);
  await fleet.accept(batch('c1', 1, [mesh('c1')]));
  const done: string[] = [];
  const deregistration = new Deregistration({
    fleet,
    outputs: { end: (name) => done.push(`outputs of ${name} end`) },
    connections: new Connections(),
    closeStreams: (name) => done.push(`streams of ${name} end`),
    confirm: async (name) => {
      done.push(`asked for ${name}`);
      return !exists;
    },
    logger: silentLogger,
  });
  deregistration.check();
  await fleet.write((transaction, world) => transaction.delete(world.clusters, key('c1')));
  return { fleet, deregistration, done };
}

test('one that was seen to be deleted is forgotten without asking', async () => {
  const { fleet, deregistration, done } = await heard(true);
  deregistration.check(OBSERVED);
  await eventually('forgotten', () => !fleet.progress.has('c1'));
  assert.equal(done, ['streams of c1 end', 'outputs of c1 end']);
});

test('one that a list merely lacks is asked for; what is there is not forgotten, and hears nothing meanwhile', async () => {
  const { fleet, deregistration, done } = await heard(true);
  deregistration.check(EDIT);
  await eventually('asked', () => done.length === 2);
  await new Promise((resume) => setImmediate(resume));
  assert.equal(done, ['streams of c1 end', 'asked for c1']);
  assert.ok(fleet.progress.has('c1'));
  assert.is(fleet.world.meshes.size, 1);
});

test('one that is really gone is forgotten', async () => {
  const { fleet, deregistration, done } = await heard(false);
  deregistration.check(EDIT);
  await eventually('forgotten', () => !fleet.progress.has('c1'));
  assert.equal(done, ['streams of c1 end', 'asked for c1', 'outputs of c1 end']);
  assert.is(fleet.world.meshes.size, 0);
});

test.run();
