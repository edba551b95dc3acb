/** Read edges: exactly the readers run again, and a key without readers leaves nothing behind. */

import { type Key, key } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type EdgeTable, ItemReads, ReadEdges } from '../../../src/graph/edges/read-edges.ts';
import { Rows } from '../../../src/graph/rows/rows.ts';

/** A node identifies its items by row. */
const rows = [3, 4, 5, 6];
const cells = Array.from({ length: 6 }, (_, n) => key(`c${n}`));
const run = fc.record({
  node: fc.nat(1),
  item: fc.nat(3),
  reads: fc.array(fc.nat(11), { maxLength: 8 }),
  /** Shared reads of several items are the interesting case. */
  common: fc.boolean(),
  gone: fc.boolean(),
});

test('a key marks exactly the items dirty whose last run read it', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 30 }), (runs) => {
      const edges = new ReadEdges();
      const tables: readonly EdgeTable[] = [new Map(), new Map()];
      const woken = new Set<string>();
      const nodes = ['a', 'b'].map((name) => ({
        name,
        reads: new ItemReads(new Rows()),
        markDirty: (row: number) => woken.add(`${name} ${row}`),
      }));
      const model = new Map<string, Set<number>>();
      const rerun = (node: (typeof nodes)[number], row: number, reads: readonly number[]): void => {
        edges.begin();
        for (const read of reads) edges.note(tables[read % 2] as EdgeTable, cells[read >> 1] as Key);
        edges.end(node, row, !model.has(`${node.name} ${row}`));
        model.set(`${node.name} ${row}`, new Set(reads));
      };
      for (const { node: nodeNth, item, reads, common, gone } of runs) {
        const [node, row] = [nodes[nodeNth] as (typeof nodes)[number], rows[item] as number];
        if (gone) {
          edges.release(node, row);
          model.delete(`${node.name} ${row}`);
        } else rerun(node, row, common ? [1, 4] : reads);
        for (let cell = 0; cell < 12; cell++) {
          woken.clear();
          edges.wake(tables[cell % 2] as EdgeTable, cells[cell >> 1] as Key);
          const expected = [...model].filter(([, looked]) => looked.has(cell)).map(([at]) => at);
          assert.equal([...woken].sort(), expected.sort());
        }
        const readers = [...model].filter(([, looked]) => looked.size > 0);
        const { cells: cellCount, lists, items } = edges.sizes;
        assert.is(cellCount, new Set(readers.flatMap(([, looked]) => [...looked])).size);
        assert.is(items, readers.length);
        assert.is(
          nodes.reduce((sum, one) => sum + one.reads.size, 0),
          items,
        );
        const different = new Set(readers.map(([at, looked]) => `${at[0]} ${[...looked]}`));
        assert.is(lists, different.size, 'items of a node that look at the same have one list');
      }
      for (const node of nodes) for (const row of rows) edges.release(node, row);
      assert.equal(edges.sizes, { cells: 0, lists: 0, items: 0 });
      assert.is((tables[0]?.size ?? 1) + (tables[1]?.size ?? 1), 0);
      assert.is(
        nodes.reduce((sum, { reads }) => sum + reads.byHash.size, 0),
        0,
      );
    }),
    { numRuns: scaledRuns(500) },
  );
});

test.run();
