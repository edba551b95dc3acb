/** Changes of other replicas are ingested once, in order, and missed ones are compared. */
import { Buffer } from 'node:buffer';
import { partsOf } from '@meshrelay/relay-core';
import { MemoryStore, type SnapshotChange, type SnapshotStore } from '@meshrelay/store';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { StoreFollower } from '../../src/store/store-follower.ts';
import { kubernetesCluster, mesh } from '../support/discovered.ts';
import { envelopeOf } from '../support/envelope.ts';
import { batch, declare, MESH, newFleet } from '../support/fleet.ts';

/** A store whose changes a test emits, as if another replica had made them. */
class ScriptedStore extends MemoryStore {
  #send: ((change: SnapshotChange) => void) | undefined;

  override async *watch(signal: AbortSignal): AsyncGenerator<SnapshotChange> {
    const queue: SnapshotChange[] = [];
    let wake = (): void => undefined;
    this.#send = (change) => {
      queue.push(change);
      wake();
    };
    signal.addEventListener('abort', () => wake());
    while (!signal.aborted) {
      const next = queue.shift();
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resume) => {
          wake = resume;
        });
    }
  }

  announce(change: SnapshotChange): void {
    this.#send?.(change);
  }
}

async function followed(counts: (cluster: string) => boolean = () => true) {
  const store = new ScriptedStore();
  const fleet = newFleet(store as SnapshotStore as MemoryStore);
  await declare(fleet, kubernetesCluster('c1'));
  const heard: string[] = [];
  const forgotten: string[] = [];
  const leftAlone: string[] = [];
  const follower = new StoreFollower({
    fleet,
    store,
    counts,
    onIgnored: (cluster) => leftAlone.push(cluster),
    isHere: () => false,
    onNew: (cluster) => heard.push(cluster),
    onDeletedOnPeer: (cluster) => forgotten.push(`${cluster} with ${fleet.fleetState.meshes.size}`),
    logger: silentLogger,
  });
  const meshes = (): string[] => [...fleet.fleetState.meshes.entries()].map(([key]) => partsOf(key).join('/')).sort();
  return {
    store,
    fleet,
    peerAnnouncements: heard,
    forgotten,
    leftAlone,
    follower,
    meshes,
    [Symbol.asyncDispose]: () => follower[Symbol.asyncDispose](),
  };
}

const named = (name: string) => ({ ...mesh('c1'), metadata: { name, namespace: 'istio-system' } });
const written = (seq: number, changes: Partial<Extract<SnapshotChange, { type: 'written' }>> = {}): SnapshotChange => ({
  type: 'written',
  cluster: 'c1',
  version: { term: 1, seq },
  kind: MESH,
  upserts: [],
  deletes: [],
  synced: true,
  complete: true,
  compared: { term: 1, seq },
  observed: true,
  origin: 'elsewhere',
  ...changes,
});

test('changes of other replicas reach the graph, and progress follows', async () => {
  await using parts = await followed();
  const { store, fleet, peerAnnouncements: heard, meshes } = parts;
  await store.open({ cluster: 'c1', term: 1, kinds: [MESH] });
  await store.write(batch('c1', 1, [named('a'), named('b')]));
  store.announce(written(1, { upserts: [envelopeOf(named('a')), envelopeOf(named('b'))] }));
  await eventually('both are there', () => meshes().length === 2 && heard.join() === 'c1');
  assert.equal(fleet.progress.get('c1'), {
    version: { term: 1, seq: 1 },
    complete: true,
    compared: { term: 1, seq: 1 },
  });
  await store.write(batch('c1', 2, [], { deletes: [envelopeOf(named('a'))] }));
  store.announce(written(2, { deletes: [envelopeOf(named('a'))] }));
  await eventually('one is gone', () => meshes().length === 1);
  assert.equal(fleet.progress.get('c1')?.version, { term: 1, seq: 2 });
});

test('state that another replica still compares with its agent is not claimed before it is done', async () => {
  await using parts = await followed();
  const { store, fleet, peerAnnouncements: heard } = parts;
  await store.open({ cluster: 'c1', term: 1, kinds: [MESH] });
  await store.write({ ...batch('c1', 1, [named('a')]), inStep: true });
  store.announce(written(1));
  await eventually('it is known', () => heard.join() === 'c1');
  const compared = { term: 1, seq: 1 };
  for (const [seq, then] of [
    [2, compared],
    [3, { term: 1, seq: 3 }],
  ] as const) {
    await store.write({ ...batch('c1', seq, [named(`b${seq}`)]), inStep: seq === 3 });
    store.announce(written(seq, { upserts: [envelopeOf(named(`b${seq}`))], compared: then }));
    await eventually('the change is ingested', () => fleet.progress.get('c1')?.version.seq === seq);
    assert.equal(fleet.progress.get('c1')?.compared, then);
  }
});

test('an older change does not undo a newer one: the present state of the store counts', async () => {
  await using parts = await followed();
  const { store, fleet, meshes } = parts;
  await fleet.open('c1', 1, [MESH]);
  await fleet.accept(batch('c1', 5, [named('a')]));
  await fleet.accept(batch('c1', 6, [], { deletes: [envelopeOf(named('a'))] }));
  store.announce(written(4, { upserts: [envelopeOf(named('a'))] }));
  await eventually('the change was ingested', () => parts.follower.depth === 0);
  await fleet.write(() => undefined);
  assert.equal(meshes(), []);
  assert.equal(fleet.progress.get('c1')?.version, { term: 1, seq: 6 });
});

test('missed changes are compared; removed clusters are deleted', async () => {
  await using parts = await followed();
  const { store, fleet, forgotten, meshes } = parts;
  await fleet.open('c1', 1, [MESH]);
  await fleet.accept(batch('c1', 1, [named('a'), named('b')]));
  // As the push stream of the batch does.
  for (const name of ['a', 'b'])
    fleet.contentIndex('c1').set(envelopeOf(named(name)), { hash: envelopeOf(named(name)).hash, bytes: 1 });
  await store.write(batch('c1', 2, [named('c')], { deletes: [envelopeOf(named('a'))] }));
  store.announce({ type: 'lost' });
  await eventually('all is as the store has it', () => meshes().length === 2 && meshes().join().includes('/c'));
  assert.equal(fleet.progress.get('c1')?.version, { term: 1, seq: 2 });
  assert.equal(forgotten, []);
  await store.remove('c1');
  store.announce({ type: 'removed', cluster: 'c1', origin: 'elsewhere' });
  await eventually('nothing is left', () => meshes().length === 0 && !fleet.progress.has('c1'));
  assert.is(Buffer.from(fleet.contentIndex('c1').digest('')).toString('hex'), '0'.repeat(32));
  assert.equal(forgotten, ['c1 with 2'], 'the replica with its agent is informed first');
});

test('changes of a cluster that does not count are not ingested, nor are missed ones', async () => {
  let counting = false;
  await using parts = await followed(() => counting);
  const { store, fleet, peerAnnouncements: heard, leftAlone, meshes } = parts;
  await store.open({ cluster: 'c1', term: 1, kinds: [MESH] });
  await store.write(batch('c1', 1, [named('a')]));
  store.announce(written(1, { upserts: [envelopeOf(named('a'))] }));
  await eventually('it is heard', () => leftAlone.length === 1);
  store.announce({ type: 'lost' });
  await eventually('all is compared', () => leftAlone.length === 2);
  await fleet.write(() => undefined);
  assert.equal([meshes(), heard, fleet.progress.size], [[], [], 0]);
  counting = true;
  store.announce(written(1));
  await eventually('it counts, with all there was before', () => meshes().length === 1 && heard.length === 1);
});

test('a cluster that is removed and written again in one turn keeps none of its old data', async () => {
  await using parts = await followed();
  const { store, peerAnnouncements: heard, forgotten, meshes } = parts;
  await store.open({ cluster: 'c1', term: 1, kinds: [MESH] });
  await store.write(batch('c1', 1, [named('a')]));
  store.announce(written(1, { upserts: [envelopeOf(named('a'))] }));
  await eventually('it is there', () => heard.length === 1);
  await store.remove('c1');
  await store.open({ cluster: 'c1', term: 1, kinds: [MESH] });
  await store.write(batch('c1', 1, [named('b')]));
  store.announce({ type: 'removed', cluster: 'c1', origin: 'elsewhere' });
  store.announce(written(1, { upserts: [envelopeOf(named('b'))] }));
  await eventually('it is new', () => heard.length === 2);
  assert.equal(
    meshes().map((one) => one.split('/').at(-1)),
    ['b'],
  );
  assert.is(forgotten.length, 1);
});

test('a cluster whose removal was missed is deleted like any other', async () => {
  await using parts = await followed();
  const { store, fleet, peerAnnouncements: heard, forgotten } = parts;
  await store.open({ cluster: 'c1', term: 1, kinds: [MESH] });
  await store.write(batch('c1', 1, [named('a')]));
  store.announce(written(1, { upserts: [envelopeOf(named('a'))] }));
  await eventually('it is there', () => heard.length === 1);
  await store.remove('c1');
  store.announce({ type: 'lost' });
  await eventually('nothing is left', () => !fleet.progress.has('c1'));
  assert.equal(forgotten, ['c1 with 1']);
});

test.run();
