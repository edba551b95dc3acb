import { assert, test } from '@meshrelay/testing';
import { equalJson, equalMeaning } from '../src/kube/equal-json.ts';

test('the order of fields does not matter, that of items does', () => {
  assert.ok(equalJson({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 }));
  assert.not(equalJson([1, 2], [2, 1]));
});

test('an undefined field counts as missing, a null field does not', () => {
  assert.ok(equalJson({ a: undefined, b: 1 }, { b: 1 }));
  assert.ok(equalJson({ b: 1 }, { b: 1, a: undefined }));
  assert.not(equalJson({ a: null }, {}));
  assert.not(equalJson({}, { a: null }));
});

test('a list does not equal a map', () => {
  assert.not(equalJson([], {}));
  assert.not(equalJson({}, []));
  assert.not(equalJson({ 0: 'a' }, ['a']));
});

test('objects are compared without metadata and status', () => {
  const object = { kind: 'Sheet', metadata: { name: 'a' }, spec: { view: 1 } };
  assert.ok(equalMeaning(object, { ...object, metadata: { name: 'b' }, status: { state: 'ACCEPTED' } }));
  assert.not(equalMeaning(object, { ...object, spec: { view: 2 } }));
});

test.run();
