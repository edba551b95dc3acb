/** Lists of `exportTo` as Istio reads them on Services: `*` goes before `~`, which goes before names. */
import { assert, test } from '@meshrelay/testing';
import { seenIn } from '../src/visibility.ts';

test('a list comes to everybody, to nobody, or to namespaces in order and once each', () => {
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
