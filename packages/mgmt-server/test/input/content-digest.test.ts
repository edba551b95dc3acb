/** Replicas that list the same objects at different times detect that they are equal. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { ContentDigest } from '../../src/input/content-digest.ts';

const object = (name: string, timeout: string): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Policy', metadata: { name }, spec: { timeout } }) as unknown as KubeObject;

test('the same objects have one digest in any order; others have another', () => {
  const [one, other] = [new ContentDigest(), new ContentDigest()];
  assert.is(one.value, other.value);
  one.set('a', object('a', '1s'));
  one.set('b', object('b', '1s'));
  other.set('b', object('b', '9s'));
  other.set('c', object('c', '1s'));
  other.set('a', object('a', '1s'));
  assert.is.not(one.value, other.value);
  other.set('b', object('b', '1s'));
  assert.is.not(one.value, other.value);
  other.delete('c');
  assert.is(one.value, other.value);
});

test('while an object cannot be read the digest is undefined: each replica has its own last good state', () => {
  const digest = new ContentDigest();
  const empty = digest.value;
  digest.set('a', undefined);
  assert.is(digest.value, undefined);
  digest.set('a', object('a', '1s'));
  assert.ok(digest.value);
  digest.delete('a');
  assert.is(digest.value, empty);
});

test.run();
