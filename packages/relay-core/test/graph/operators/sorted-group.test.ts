/** Sorted groups: the same order by any sequence of edits; returned lists do not change. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { compareKeys } from '../../../src/graph/compare-keys.ts';
import { type Contribution, orderOf, SortedGroup } from '../../../src/graph/operators/sorted-group.ts';

interface Part {
  readonly weight: number;
  readonly id: string;
}

const all: readonly Contribution<Part>[] = Array.from({ length: 40 }, (_, n) => {
  const item = key(`i${n % 20}`);
  return { group: key('g'), item, nth: n < 20 ? 0 : 1, part: { weight: n % 3, id: `${item} ${n}` } };
});
const byWeight = (a: Part, b: Part) => a.weight - b.weight;
const total = (a: Contribution<Part>, b: Contribution<Part>) =>
  byWeight(a.part, b.part) || compareKeys(a.item, b.item) || a.nth - b.nth;

test('edits of any size give the same result as sorting everything', () => {
  const edits = fc.array(fc.uniqueArray(fc.nat(all.length - 1), { maxLength: 20, size: 'max' }), { maxLength: 10 });
  fc.assert(
    fc.property(edits, (history) => {
      const group = new SortedGroup<Part>(orderOf(byWeight));
      const present = new Set<Contribution<Part>>();
      for (const edit of history) {
        const touched = edit.map((nth) => all[nth] as Contribution<Part>);
        const removed = touched.filter((entry) => present.delete(entry));
        const added = touched.filter((entry) => !removed.includes(entry));
        for (const entry of added) present.add(entry);
        const expected = [...present].sort(total);
        const parts = group.edit(removed, added);
        assert.equal(
          parts,
          expected.map((entry) => entry.part),
        );
        assert.equal(
          [...group.items()],
          expected.map((entry) => entry.item),
        );
        const copy = [...parts];
        const extra = { group: key('g'), item: key('!'), nth: 0, part: { weight: 0, id: 'extra' } };
        group.edit([], [extra]);
        group.edit([extra], []);
        assert.equal(parts, copy);
      }
    }),
  );
});

test('a comparison that throws loses nothing: the group sorts again once it succeeds', () => {
  const [first, second, third] = all as [Contribution<Part>, Contribution<Part>, Contribution<Part>];
  const group = new SortedGroup<Part>(
    orderOf((a, b) => {
      if (a === second.part || b === second.part) throw new Error('cannot compare');
      return byWeight(a, b);
    }),
  );
  assert.throws(() => group.edit([], [third, second, first]), /cannot compare/);
  assert.throws(() => group.edit([third], []), /cannot compare/);
  assert.equal(group.edit([second], [third]), [first.part, third.part]);
});

test('with an inconsistent comparison, every entry can still be removed', () => {
  const group = new SortedGroup<Part>(orderOf(() => 1));
  group.edit([], all.slice(0, 5));
  for (const entry of all.slice(0, 5)) group.edit([entry], []);
  assert.equal([...group.items()], []);
});

test.run();
