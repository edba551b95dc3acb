/** JSON merge patches: the cases of RFC 7396, appendix A, and their properties. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { Json } from '../../src/object.ts';
import { applyMergePatch } from '../../src/patch/merge-patch.ts';

const cases: [document: Json, patch: Json, expected: Json][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [document, patch, expected] of cases) {
  test(`${JSON.stringify(document)} with ${JSON.stringify(patch)}`, () => {
    assert.equal(applyMergePatch(document, patch), expected);
  });
}

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

test('property: merging twice is the same as merging once, and neither input changes', () => {
  fc.assert(
    fc.property(json, json, (document, patch) => {
      const [before, given] = [JSON.stringify(document), JSON.stringify(patch)];
      const once = applyMergePatch(document, patch);
      assert.equal(applyMergePatch(once, patch), once);
      assert.is(JSON.stringify(document), before);
      assert.is(JSON.stringify(patch), given);
    }),
    { numRuns: scaledRuns(500) },
  );
});

test('property: an empty patch changes no object', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json, { noNullPrototype: true }), (document) => {
      assert.equal(applyMergePatch(document, {}), document);
    }),
  );
});

test('a member named like a prototype is merged like any other', () => {
  const merged = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'));
  assert.is(JSON.stringify(merged), '{"__proto__":{"polluted":true}}');
  assert.is(({} as { polluted?: boolean }).polluted, undefined);
});

test.run();
