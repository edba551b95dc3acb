/** One object for all equal ones. */

import { clearMemoized } from '@meshrelay/plugin/host';
import { assert, test } from '@meshrelay/testing';
import { InternPool } from '../../src/caches/intern-pool.ts';

test('an id has one object, even after very many others, and after compaction', () => {
  const values = new InternPool<{ readonly n: number }>();
  const held = Array.from({ length: 5_000 }, (_, n) => values.of(`${n}`, { n }));
  for (let round = 0; round < 2; round++) {
    for (const [n, one] of held.entries()) assert.is(values.of(`${n}`, { n }), one);
    clearMemoized();
  }
  assert.is.not(values.of('0', { n: 0 }), values.of('1', { n: 0 }));
});

test.run();
