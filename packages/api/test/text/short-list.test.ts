/** Long lists are cut, with the number of omitted items. */
import { assert, test } from '@meshrelay/testing';
import { shortList } from '../../src/mod.ts';

test('omitted items are counted', () => {
  assert.is(shortList([], 2), '');
  assert.is(shortList(['a', 'b'], 2), 'a, b');
  assert.is(shortList(['a', 'b', 'c', 'd', 'e'], 2), 'a, b and 3 more');
});

test.run();
