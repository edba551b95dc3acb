/** Field sets: their serialised form and their operations. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { JsonObject } from '../../src/object.ts';
import {
  difference,
  equalSets,
  type FieldSet,
  fieldPaths,
  fieldSet,
  intersection,
  isEmptySet,
  NO_FIELDS,
  readFieldsV1,
  THIS_FIELD,
  union,
  withoutSubtrees,
  withSelf,
  writeFieldsV1,
} from '../../src/patch/field-set.ts';
import { keyElement, memberElement, valueElement } from '../../src/patch/path-element.ts';

test('a field with fields below is written with a dot, one without as an empty object', () => {
  const fields: JsonObject = {
    'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
    'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } }, 'f:tags': { 'v:"x"': {} } },
  };
  assert.equal(writeFieldsV1(readFieldsV1(fields)), fields);
});

test('fields are written in the order of their kind and value', () => {
  const items = [
    valueElement(10),
    valueElement(2),
    valueElement('a'),
    keyElement([['b', 1]]),
    memberElement('z'),
    memberElement('A'),
  ];
  const set = fieldSet(
    false,
    items.map((item) => [item, THIS_FIELD] as const),
  );
  assert.equal(Object.keys(writeFieldsV1(set)), ['f:A', 'f:z', 'k:{"b":1}', 'v:2', 'v:10', 'v:"a"']);
});

test('keys are sorted, and characters with a meaning in HTML are escaped', () => {
  assert.is(
    keyElement([
      ['port', 80],
      ['name', 'a<b'],
    ]),
    'k:{"name":"a\\u003cb","port":80}',
  );
});

test('paths are listed as in conflicts: a level first, then the levels below', () => {
  const set = readFieldsV1({
    'f:spec': { 'f:b': {}, 'f:a': { 'f:c': {}, 'k:{"port":80,"protocol":"TCP"}': {} }, 'f:t': { 'v:"x"': {} } },
  });
  assert.equal([...fieldPaths(set)], ['.spec.b', '.spec.a.c', '.spec.a[port=80,protocol="TCP"]', '.spec.t[="x"]']);
});

test('rejects a step of an unknown kind', () => {
  assert.throws(() => readFieldsV1({ 'x:a': {} }), 'fieldsV1 holds "x:a"');
});

test('a subtree is removed with the field above it', () => {
  const set = readFieldsV1({ 'f:spec': { 'f:a': { 'f:b': {} } }, 'f:status': { '.': {}, 'f:c': {} } });
  const left = withoutSubtrees(set, readFieldsV1({ 'f:status': {} }));
  assert.equal(writeFieldsV1(left), { 'f:spec': { 'f:a': { 'f:b': {} } } });
});

const element = fc.constantFrom('f:a', 'f:b', 'k:{"n":1}', 'v:"x"', 'i:0');
const { set } = fc.letrec<{ set: FieldSet }>((tie) => ({
  set: fc
    .tuple(
      fc.boolean(),
      fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(fc.tuple(element, tie('set')), { maxLength: 3 })),
    )
    .map(([self, children]) => fieldSet(self, children)),
}));
/** Whole sets: the root itself is never in one. */
const whole = set.map((any) => fieldSet(false, any.children));

test('property: a serialised set parses to the same set', () => {
  fc.assert(fc.property(whole, (a) => assert.ok(equalSets(readFieldsV1(writeFieldsV1(a)), a))));
});

test('properties of sets', () => {
  fc.assert(
    fc.property(whole, whole, whole, (a, b, c) => {
      assert.ok(equalSets(union(a, b), union(b, a)));
      assert.ok(equalSets(union(a, union(b, c)), union(union(a, b), c)));
      assert.ok(equalSets(union(a, a), a));
      assert.ok(equalSets(intersection(a, b), intersection(b, a)));
      assert.ok(isEmptySet(intersection(difference(a, b), b)));
      assert.ok(equalSets(union(difference(a, b), intersection(a, b)), a));
      assert.ok(equalSets(difference(a, NO_FIELDS), a));
      assert.ok(isEmptySet(difference(a, a)));
      assert.ok(isEmptySet(withoutSubtrees(a, withSelf(b))));
    }),
    { numRuns: scaledRuns(500) },
  );
});

test.run();
