/** One revision counter over all objects, and a history that reads can go back in. */
import { assert, test } from '@meshrelay/testing';
import type { KubeObject } from '../../src/object.ts';
import { ObjectStore } from '../../src/storage/object-store.ts';

const RESOURCE = { group: '', plural: 'things' };

function thing(name: string, value = 0, namespace = 'ns'): KubeObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name, namespace }, value };
}

function names(snapshot: readonly (readonly [string, KubeObject])[] | undefined): string[] | undefined {
  return snapshot?.map(([, object]) => `${object.metadata.name}=${object['value']}`);
}

test('every write of any resource increments the one revision', () => {
  const store = new ObjectStore();
  const first = store.put(RESOURCE, thing('a'));
  const second = store.put({ group: 'other', plural: 'others' }, thing('b'));
  assert.ok(Number(second.metadata.resourceVersion) > Number(first.metadata.resourceVersion));
  assert.is(String(store.revision), second.metadata.resourceVersion);
});

test('a past revision reverts creations, changes and deletions', () => {
  const store = new ObjectStore();
  store.put(RESOURCE, thing('a', 1));
  store.put(RESOURCE, thing('b', 1));
  const then = store.revision;
  store.put(RESOURCE, thing('a', 2));
  store.put(RESOURCE, thing('c', 1));
  store.remove(RESOURCE, thing('b', 1));
  const collection = store.collection(RESOURCE);
  assert.equal(names(collection.snapshot()), ['a=2', 'c=1']);
  assert.equal(names(collection.snapshotAt(then)), ['a=1', 'b=1']);
});

test('compaction drops the past but not the present', () => {
  const store = new ObjectStore();
  store.put(RESOURCE, thing('a', 1));
  const then = store.revision;
  store.put(RESOURCE, thing('a', 2));
  store.compact(store.revision);
  const { history } = store.collection(RESOURCE);
  assert.is(history.after(then), undefined);
  assert.equal(history.after(store.revision), []);
  assert.equal(names(store.collection(RESOURCE).snapshot()), ['a=2']);
});

test('a full history drops its oldest changes and keeps at least its capacity', () => {
  const store = new ObjectStore(4);
  const start = store.revision;
  for (let value = 0; value < 20; value++) store.put(RESOURCE, thing('a', value));
  const { history } = store.collection(RESOURCE);
  assert.is(history.after(start), undefined);
  assert.ok((history.after(history.compactedThrough)?.length ?? 0) >= 4);
  assert.is(history.after(store.revision - 4)?.length, 4);
});

test('a snapshot of a namespace contains only that namespace', () => {
  const store = new ObjectStore();
  for (const namespace of ['a', 'a-b', 'b']) store.put(RESOURCE, thing('x', 0, namespace));
  const found = store.collection(RESOURCE).snapshot('a');
  assert.equal(
    found.map(([key]) => key),
    ['a/x'],
  );
});

test('subscribers get each change in order until they unsubscribe', () => {
  const store = new ObjectStore();
  const heard: string[] = [];
  const subscription = store
    .collection(RESOURCE)
    .subscribe(({ type, object }) => void heard.push(`${type} ${object['value']}`));
  store.put(RESOURCE, thing('a', 1));
  store.put(RESOURCE, thing('a', 2));
  store.remove(RESOURCE, thing('a', 2));
  subscription[Symbol.dispose]();
  store.put(RESOURCE, thing('b', 3));
  assert.equal(heard, ['ADDED 1', 'MODIFIED 2', 'DELETED 2']);
});

test.run();
