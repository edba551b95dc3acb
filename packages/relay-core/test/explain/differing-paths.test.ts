/** Paths at which two objects differ, with as few paths as possible. */
import { assert, test } from '@meshrelay/testing';
import { differingPaths } from '../../src/explain/differing-paths.ts';

const cases: ReadonlyArray<[what: string, left: unknown, right: unknown, paths: string[]]> = [
  ['equal objects', { a: [1] }, { a: [1] }, []],
  ['a member', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ['a.c']],
  ['a member that one lacks', { a: { b: 1 } }, { a: {} }, ['a.b']],
  ['an element of lists alike in length', { a: [1, { b: 1 }] }, { a: [1, { b: 2 }] }, ['a[1].b']],
  ['an element that one list lacks', { a: ['x', 'y', 'z'] }, { a: ['x', 'z'] }, ['a[1]']],
  ['lists with nothing in common', { a: [1, 2] }, { a: [3] }, ['a']],
  ['a list with less than the other', { a: [1] }, { a: [1, 2] }, ['a']],
  ['different kinds of value', { a: [1] }, { a: { b: 1 } }, ['a']],
  ['nothing in common at all', 1, 2, ['']],
];

for (const [what, left, right, paths] of cases) {
  test(what, () => {
    assert.equal(differingPaths(left, right), paths);
  });
}

test.run();
