/** Rows by hash: behaves like a map, even if many hashes share a slot. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { HashRows } from '../../../src/graph/rows/hash-rows.ts';

test('behaves like a map, after any additions and removals', () => {
  const hash = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer());
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), hash), { maxLength: 300 }), (steps) => {
      const table = new HashRows();
      const model = new Map<number, number>();
      for (const [row, [adds, at]] of steps.entries()) {
        if (!adds) {
          table.remove(at);
          model.delete(at);
        } else if (!model.has(at)) {
          table.add(at, row);
          model.set(at, row);
        }
        assert.is(table.size, model.size);
      }
      for (const [, at] of steps) assert.is(table.get(at), model.get(at));
    }),
  );
});

test('if each row is its own hash, it is a set of rows', () => {
  const row = fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 2 ** 27 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), row), { maxLength: 300 }), (steps) => {
      const table = HashRows.underThemselves();
      const model = new Set<number>();
      for (const [adds, at] of steps) {
        if (!adds) {
          table.remove(at);
          model.delete(at);
        } else if (!model.has(at)) {
          table.add(at, at);
          model.add(at);
        }
        assert.is(table.size, model.size);
      }
      for (const [, at] of steps) assert.is(table.get(at), model.has(at) ? at : undefined);
      assert.equal(new Set(table.rows()), model);
    }),
  );
});

test.run();
