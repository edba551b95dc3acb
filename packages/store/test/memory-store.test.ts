/** The memory store fulfils the contract, and stores objects from the relay's receiver without copies. */
import type { InputBatch } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { MemoryStore } from '../src/memory/memory-store.ts';
import type { SnapshotDelta } from '../src/snapshot.ts';
import { contract, MESH } from './contract.ts';

contract('memory', { create: async () => new MemoryStore() });

test('memory: shares bodies instead of copying them', async () => {
  await using store = new MemoryStore();
  const body = new Uint8Array(100);
  await store.open({ cluster: 'c1', term: 1, kinds: [MESH] });
  const batch: InputBatch = {
    cluster: 'c1',
    term: 1,
    seq: 1,
    kind: MESH,
    upserts: [{ ...MESH, namespace: '', name: 'm', hash: '0'.repeat(32), body }],
    deletes: [],
    synced: true,
    followed: false,
    inStep: true,
  };
  const delta: SnapshotDelta = batch;
  await store.write(delta);
  assert.is((await store.read('c1'))?.kinds[0]?.objects[0]?.body, body);
});

test.run();
