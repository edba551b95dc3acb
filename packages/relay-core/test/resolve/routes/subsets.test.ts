/** Names of subsets: readable, valid and unique per label set. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/mod.ts';
import { subsetOf } from '../../../src/resolve/routes/subsets.ts';
import { sha256 } from '../../support/hash.ts';

const labels = fc.dictionary(
  fc.stringMatching(/^[a-zA-Z0-9._/-]{1,12}$/),
  fc.stringMatching(/^[a-zA-Z0-9._-]{0,12}$/),
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);

test('one plain label is used unchanged', () => {
  assert.is(subsetOf({ version: 'v1' }, sha256).name, 'version-v1');
});

for (const [what, a, b] of [
  ['two labels and one with a dash', { a: 'b', c: 'd' }, { a: 'b-c-d' }],
  ['letter case', { version: 'V1' }, { version: 'v1' }],
  ['dots and dashes', { version: '1.0' }, { version: '1-0' }],
  ['a dash in the name or in the value', { 'a-b': 'c' }, { a: 'b-c' }],
] as const) {
  test(`subsets are distinguished by ${what}`, () => {
    assert.is.not(subsetOf(a, sha256).name, subsetOf(b, sha256).name);
  });
}

test('a label that looks like a hash is not mistaken for one', () => {
  const ambiguous = subsetOf({ a: '' }, sha256).name;
  assert.is.not(subsetOf({ a: ambiguous.slice('a-'.length) }, sha256).name, ambiguous);
});

test('names are injective, and valid in DNS', () => {
  fc.assert(
    fc.property(labels, labels, (a, b) => {
      const [first, second] = [subsetOf(a, sha256).name, subsetOf(b, sha256).name];
      assert.is(first === second, canonicalJson(a) === canonicalJson(b));
      assert.match(first, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
    }),
    { numRuns: scaledRuns(1000) },
  );
});

test('the order of labels does not matter', () => {
  assert.equal(subsetOf({ b: '1', a: '2' }, sha256), subsetOf({ a: '2', b: '1' }, sha256));
});

test.run();
