/** Read edges: the right items wake, and what is no longer read leaves no trace. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type Key, key } from '../../src/graph/key.ts';
import { type EdgeTable, NO_READS, ReadEdges } from '../../src/graph/read-edges.ts';

/** Items are known to their node by row. */
const items = [3, 4, 5, 6];
const cells = Array.from({ length: 6 }, (_, n) => key(`c${n}`));
const run = fc.record({ item: fc.nat(3), reads: fc.array(fc.nat(11), { maxLength: 8 }), gone: fc.boolean() });

test('a key wakes exactly the items whose last run read it', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 20 }), (runs) => {
      const edges = new ReadEdges();
      const tables: readonly EdgeTable[] = [new Map(), new Map()];
      const numbers = new Map<number, number>();
      const model = new Map<number, Set<number>>();
      const woken = new Set<number>();
      const owner = { markDirty: (item: number) => woken.add(item) };
      const rerun = (item: number, reads: readonly number[]): void => {
        edges.begin();
        for (const read of reads) edges.note(tables[read % 2] as EdgeTable, cells[read >> 1] as Key);
        numbers.set(item, edges.end(numbers.get(item) ?? NO_READS, owner, item));
        model.set(item, new Set(reads));
      };
      for (const { item: nth, reads, gone } of runs) {
        const item = items[nth] as number;
        const number = numbers.get(item) ?? NO_READS;
        if (gone && number !== NO_READS) {
          edges.release(number);
          numbers.delete(item);
          model.delete(item);
        } else if (!gone) rerun(item, reads);
        for (let cell = 0; cell < 12; cell++) {
          woken.clear();
          edges.wake(tables[cell % 2] as EdgeTable, cells[cell >> 1] as Key);
          const expected = items.filter((at) => model.get(at)?.has(cell));
          assert.equal([...woken].sort(), expected);
        }
        const read = new Set([...model.values()].flatMap((looked) => [...looked]));
        const readers = [...model.values()].filter((looked) => looked.size > 0).length;
        assert.equal(edges.sizes, { cells: read.size, items: readers });
      }
      for (const item of numbers.keys()) rerun(item, []);
      assert.equal(edges.sizes, { cells: 0, items: 0 });
      assert.is((tables[0]?.size ?? 1) + (tables[1]?.size ?? 1), 0);
    }),
    { numRuns: 300 },
  );
});

test.run();
