/** Lists of the same objects are interned as one list. */
import { assert, test } from '@meshrelay/testing';
import { internList } from '../../src/caches/intern-list.ts';

test('the same objects in the same order are the same list', () => {
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  const first = internList([a, b]);
  assert.is(internList([a, b]), first);
  assert.is.not(internList([b, a]), first);
  assert.is.not(internList([a]), first);
  assert.is.not(internList([a, { name: 'b' }]), first, 'equal is not the same');
  assert.equal(internList([b, a]), [b, a]);
  assert.is(internList([]), internList([]));
});

test('of very many lists nearly all are found again', () => {
  const members = Array.from({ length: 70 }, (_, n) => ({ n }));
  const pairs = members.flatMap((one) => members.map((other) => [one, other] as const));
  const lists = pairs.map((pair) => internList(pair));
  const found = pairs.filter((pair, at) => internList([...pair]) === lists[at]);
  // The hash sequence continues from earlier test files. Occasionally two lists share a hash, and the later one is not
  // found.
  assert.ok(found.length > pairs.length * 0.99, `${found.length} of ${pairs.length}`);
});

test('each list has its own members, whatever its hash', () => {
  const members = Array.from({ length: 400 }, (_, n) => ({ n }));
  const retained: Array<readonly object[]> = [];
  for (const one of members)
    for (const other of members) {
      const list = internList([one, other]);
      assert.ok(list.length === 2 && list[0] === one && list[1] === other);
      retained.push(list);
    }
});

test.run();
