/** Differing values, each with its previous and its new value. */
import { assert, test } from '@meshrelay/testing';
import { fieldChanges } from '../../src/plan/field-changes.ts';

const cases: ReadonlyArray<[what: string, before: unknown, after: unknown, changes: unknown[]]> = [
  ['equal objects', { a: [1] }, { a: [1] }, []],
  ['a value', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, [{ path: 'a.c', before: 2, after: 3 }]],
  ['a field that comes', { a: {} }, { a: { b: 1 } }, [{ path: 'a.b', after: 1 }]],
  ['a field that goes', { a: { b: 1 } }, { a: {} }, [{ path: 'a.b', before: 1 }]],
  ['a name with dots', { l: { 'x.y/z': 1 } }, { l: { 'x.y/z': 2 } }, [{ path: 'l["x.y/z"]', before: 1, after: 2 }]],
  ['a part of an element', { a: [{ b: 1 }, 2] }, { a: [{ b: 3 }, 2] }, [{ path: 'a[0].b', before: 1, after: 3 }]],
  ['an element put in first', { a: ['x', 'y'] }, { a: ['w', 'x', 'y'] }, [{ path: 'a[0]', after: 'w' }]],
  ['an element put in between', { a: ['x', 'y'] }, { a: ['x', 'w', 'y'] }, [{ path: 'a[1]', after: 'w' }]],
  ['an element that goes', { a: ['x', 'y', 'z'] }, { a: ['x', 'z'] }, [{ path: 'a[1]', before: 'y' }]],
  [
    'an element changed and one more',
    { a: ['x', { b: 1 }] },
    { a: ['x', { b: 2 }, 'n'] },
    [
      { path: 'a[1].b', before: 1, after: 2 },
      { path: 'a[2]', after: 'n' },
    ],
  ],
  ['equal elements, one fewer', { a: [1, 1, 1] }, { a: [1, 1] }, [{ path: 'a[2]', before: 1 }]],
  ['another kind of value', { a: [1] }, { a: null }, [{ path: 'a', before: [1], after: null }]],
];

for (const [what, before, after, changes] of cases) {
  test(what, () => {
    assert.equal(fieldChanges(before, after), changes);
  });
}

test.run();
