/** Lists of rows, consecutive or not, come back unchanged. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { RowLists } from '../../../src/graph/rows/row-lists.ts';

const anyRow = fc.oneof(fc.nat(40), fc.constantFrom(2 ** 27 - 1, 2 ** 27, 2 ** 31 - 1));
const run = fc.tuple(anyRow, fc.nat(20)).map(([first, length]) => Array.from({ length }, (_, nth) => first + nth));
const list = fc.oneof(run, fc.array(anyRow, { maxLength: 5 }));

test('every list comes back', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), list)), (writes) => {
      const lists = new RowLists();
      const expected = new Map<number, readonly number[]>();
      for (const [row, rows] of writes) {
        lists.set(row, rows);
        if (rows.length > 0) expected.set(row, rows);
        else expected.delete(row);
        for (let one = 0; one < 6; one++) assert.equal(lists.get(one), expected.get(one) ?? []);
        assert.is(lists.size, expected.size);
      }
    }),
  );
});

test.run();
