/** An agent that reconnects unchanged causes no write to the store and no work in the graph. */
import {
  KindSets,
  type ObjectKind,
  ObjectTable,
  PushReceiver,
  PushSender,
  ResumeHint,
  Sequence,
} from '@meshrelay/relay-protocol';
import { MemoryStore } from '@meshrelay/store';
import { assert, eventually, test } from '@meshrelay/testing';
import { destination, kubernetesCluster, mesh } from '../support/discovered.ts';
import { envelopeOf } from '../support/envelope.ts';
import { DESTINATION, declare, MESH, newFleet } from '../support/fleet.ts';

const KINDS: readonly ObjectKind[] = [MESH, DESTINATION];

class CountingStore extends MemoryStore {
  writes = 0;

  override write(...given: Parameters<MemoryStore['write']>): ReturnType<MemoryStore['write']> {
    this.writes++;
    return super.write(...given);
  }
}

/** Passes messages between the machines until neither has one, and the fleet has processed them. */
async function concatenated(agent: PushSender, server: PushReceiver): Promise<void> {
  const driver = { ready: () => undefined, fail: (error: Error) => assert.unreachable(error.message) };
  agent.drive(driver);
  server.drive(driver);
  for (let quiet = 0; quiet < 20; ) {
    const [up, down] = [agent.next(), server.next()];
    if (up !== undefined) server.receive(up);
    if (down !== undefined) agent.receive(down);
    quiet = up === undefined && down === undefined ? quiet + 1 : 0;
    await new Promise((resume) => setImmediate(resume));
  }
}

test('an agent that reconnects unchanged costs nothing', async () => {
  const store = new CountingStore();
  const fleet = newFleet(store);
  await declare(fleet, kubernetesCluster('c1'));
  const table = new ObjectTable();
  for (const object of [mesh('c1'), destination('c1', 'reviews', 1), destination('c1', 'ratings', 1)])
    table.upsert(envelopeOf(object));
  for (const kind of KINDS) table.markSynced(kind);
  const [hint, kindSets, sequence] = [new ResumeHint(), new KindSets(), new Sequence(1)];
  const visits: boolean[] = [];
  const visit = async (): Promise<void> => {
    const sender = new PushSender({ cluster: 'c1', sequence, table, kinds: KINDS, hint });
    const { version: last, complete = false } = fleet.progress.get('c1') ?? {};
    const receiver = new PushReceiver({
      cluster: 'c1',
      ...(last === undefined ? {} : { last }),
      complete,
      contentIndex: fleet.contentIndex('c1'),
      kindSets,
      sink: {
        began: (term, kinds, resumed) => {
          visits.push(resumed);
          void fleet.open('c1', term, kinds);
        },
        accept: (batch) => fleet.accept(batch),
      },
    });
    await concatenated(sender, receiver);
    sender.end();
    receiver.end();
  };
  await visit();
  await eventually('everything to be known', () => fleet.progress.get('c1')?.complete === true);
  const runs = (): number =>
    [...fleet.controlPlane.graph.counters().values()].reduce((sum, { recomputed }) => sum + recomputed, 0);
  const [version, writes, recomputed] = [fleet.progress.get('c1'), store.writes, runs()];
  await visit();
  assert.equal(visits, [false, true]);
  assert.equal(fleet.progress.get('c1'), version);
  assert.is(store.writes, writes);
  assert.is(runs(), recomputed);
});

test.run();
