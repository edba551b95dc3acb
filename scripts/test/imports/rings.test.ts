/** Rings of files, and the limit that may only become smaller. */
import { assert, test } from '@meshrelay/testing';
import { checkRings, findRings } from '../../imports/rings.ts';

const edges = (all: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(all));

test('a ring has all files that lead to each other, with any number of cycles', () => {
  const found = findRings(
    edges({ a: ['b', 'f'], b: ['c'], c: ['a', 'd'], d: ['c'], e: ['a'], f: [], x: ['y'], y: ['x'] }),
  );
  assert.equal(found, [
    ['a', 'b', 'c', 'd'],
    ['x', 'y'],
  ]);
});

test('files that only import in one direction make no ring', () => {
  assert.equal(findRings(edges({ a: ['b', 'c'], b: ['c'], c: ['d'] })), []);
});

test('more rings, or more files in them, than the limit are rejected with their files', () => {
  const [message, ring] = checkRings([['a', 'b', 'c']], { rings: 1, files: 2 });
  assert.match(message ?? '', '1 rings with 3 files');
  assert.match(ring ?? '', 'a, b, c');
  assert.is(
    checkRings(
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      { rings: 1, files: 4 },
    ).length,
    3,
  );
});

test('fewer than the limit must lower it', () => {
  assert.match(checkRings([], { rings: 1, files: 2 }).join(), 'lower it in scripts/imports/rules.ts');
  assert.equal(checkRings([['a', 'b']], { rings: 1, files: 2 }), []);
});

test.run();
