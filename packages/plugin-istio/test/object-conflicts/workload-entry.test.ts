/** WorkloadEntries of users that a generated ServiceEntry would select. */
import type { KubeObject } from '@meshrelay/api';
import type { NativeObject } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { objectConflicts } from '../../src/object-conflicts/object-conflicts.ts';

const apiVersion = 'networking.istio.io/v1';

const managed: NativeObject = {
  apiVersion,
  kind: 'ServiceEntry',
  metadata: { name: 'generated', namespace: 'shop' },
  spec: { hosts: ['a.global'], workloadSelector: { labels: { app: 'a', tier: 'front' } } },
};

function effectOf(namespace: string, spec: object, labels?: object): string | undefined {
  const metadata = { name: 'theirs', namespace, ...(labels === undefined ? {} : { labels }) };
  const unmanaged = { apiVersion, kind: 'WorkloadEntry', metadata, spec } as unknown as KubeObject;
  const words = objectConflicts.lookupKeys(managed);
  if (!objectConflicts.indexKeys(unmanaged).some((word) => words.includes(word))) return undefined;
  return objectConflicts.detect(managed, unmanaged, [])?.effect;
}

test('an entry with all the labels is reported, with labels from its spec or its metadata', () => {
  assert.is(effectOf('shop', { labels: { app: 'a', tier: 'front', more: 'yes' } }), 'info');
  assert.is(effectOf('shop', { labels: { tier: 'front' } }, { app: 'a' }), 'info');
  assert.is(effectOf('shop', {}, { app: 'a', tier: 'front' }), 'info');
});

test('an entry with some of the labels is not selected, nor is one of another namespace', () => {
  assert.is(effectOf('shop', { labels: { app: 'a' } }), undefined);
  assert.is(effectOf('shop', { labels: { app: 'a', tier: 'back' } }), undefined);
  assert.is(effectOf('team', { labels: { app: 'a', tier: 'front' } }), undefined);
});

test.run();
