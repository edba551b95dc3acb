/** Lists of `exportTo` as Istio reads them on Services: `*` precedes `~`, which precedes names. */
import { assert, test } from '@meshrelay/testing';
import { seenIn } from '../src/visibility.ts';

test('a list normalizes to all, to none, or to sorted namespaces without duplicates', () => {
  const cases: ReadonlyArray<readonly [exportTo: readonly string[], expected: readonly string[]]> = [
    [['*'], ['*']],
    [['web', '~', '*'], ['*']],
    [['~'], []],
    [['web', '~'], []],
    [['.'], ['.']],
    [['shop'], ['.']],
    [
      ['web', 'shop', '.', 'bank', 'web'],
      ['.', 'bank', 'web'],
    ],
    [['Web', '', '-web', 'web.shop', 'w'.repeat(64)], []],
    [['w'.repeat(63)], ['w'.repeat(63)]],
  ];
  for (const [exportTo, expected] of cases) assert.equal(seenIn(exportTo, 'shop'), expected, exportTo.join());
});

test.run();
