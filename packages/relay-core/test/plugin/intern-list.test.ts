/** Lists of the same objects are one list. */
import { assert, test } from '@meshrelay/testing';
import { internList } from '../../src/plugin/intern-list.ts';

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
  // Hashes begin where the files before ended: now and then two lists have one, and the later is found by none.
  assert.ok(found.length > pairs.length * 0.99, `${found.length} of ${pairs.length}`);
});

test('whatever their hashes, each list has its own members', () => {
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
