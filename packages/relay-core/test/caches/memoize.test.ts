/** Memoization by object identity. */

import { memoize, memoizeUntilCompaction } from '@meshrelay/plugin';
import { clearMemoized } from '@meshrelay/plugin/host';
import { assert, test } from '@meshrelay/testing';
import { memoizeFew } from '../../src/caches/memoize-few.ts';

test('the same object gives the same result, computed once', () => {
  let made = 0;
  const doubled = memoize(({ value }: { readonly value: number }) => {
    made += 1;
    return { value: 2 * value };
  });
  const two = { value: 2 };
  assert.equal(doubled(two), { value: 4 });
  assert.is(doubled(two), doubled(two));
  assert.is(made, 1);
});

test('equal objects are different objects, so no result is ever stale', () => {
  const text = memoize((of: { readonly name: string }) => JSON.stringify(of));
  assert.is(text({ name: 'a' }), '{"name":"a"}');
  assert.is(text({ name: 'b' }), '{"name":"b"}');
});

test('results are memoized until compaction, and recomputed afterwards', () => {
  let made = 0;
  const doubled = memoizeUntilCompaction(({ value }: { readonly value: number }) => {
    made += 1;
    return { value: 2 * value };
  });
  const two = { value: 2 };
  const before = doubled(two);
  assert.is(doubled(two), before);
  assert.is(made, 1);
  clearMemoized();
  assert.is(made, 1);
  assert.equal(doubled(two), before);
  assert.is(doubled(two), doubled(two));
  assert.is(made, 2);
});

test('a call that throws is not memoized', () => {
  let broken = true;
  const repair = memoize((of: { readonly name: string }) => {
    if (broken) throw new Error(`no ${of.name}`);
    return { repaired: of.name };
  });
  const part = { name: 'axle' };
  assert.throws(() => repair(part), 'no axle');
  broken = false;
  assert.equal(repair(part), { repaired: 'axle' });
});

test('memoization over few objects works the same', () => {
  let made = 0;
  const doubled = memoizeFew(({ value }: { readonly value: number }) => {
    made += 1;
    return 2 * value;
  });
  const two = { value: 2 };
  assert.is(doubled(two), 4);
  assert.is(doubled(two), 4);
  assert.is(doubled({ value: 3 }), 6);
  assert.is(made, 2);
});

test.run();
