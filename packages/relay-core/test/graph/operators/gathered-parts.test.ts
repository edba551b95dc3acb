/** Parts of a key: from a single contributor, and from several. */

import { key } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { GatheredParts, type PartSource } from '../../../src/graph/operators/gathered-parts.ts';
import { Rows } from '../../../src/graph/rows/rows.ts';

const names = ['d', 'a', 'c', 'b'];
const step = fc.record({
  row: fc.nat(2),
  side: fc.nat(1),
  item: fc.nat(3),
  nth: fc.nat(2),
  part: fc.option(fc.nat(9), { nil: undefined }),
  gone: fc.boolean(),
});

test('parts are ordered by input, by item and as returned, in any order of arrival', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const rows = [new Rows(), new Rows()];
      for (const one of rows) for (const name of names) one.take(key(name));
      const parts = new GatheredParts<number | undefined>(rows);
      const model = new Map<string, { at: number; partSource: PartSource; part: number | undefined }>();
      for (const { row, side, item, nth, part, gone } of steps) {
        const partSource = { side, row: item, nth };
        const id = `${row} ${side} ${names[item]} ${nth}`;
        const known = model.get(id);
        if (gone) {
          if (known !== undefined) parts.remove(row, partSource);
          model.delete(id);
        } else {
          if (known === undefined) parts.add(row, partSource, part);
          else parts.revise(row, partSource, part);
          model.set(id, { at: row, partSource, part });
        }
        assert.is(parts.find(row, partSource), gone ? undefined : part);
        for (let at = 0; at < 3; at++) {
          const expected = [...model].sort(([a], [b]) => (a < b ? -1 : 1)).filter(([, one]) => one.at === at);
          assert.equal(
            parts.of(at),
            expected.map(([, one]) => one.part),
          );
          assert.is(parts.has(at), expected.length > 0);
        }
        const used = new Set([...model.values()].map(({ at }) => at));
        assert.equal([...parts.rows()], [...used].sort());
        assert.is(parts.size, used.size);
      }
    }),
    { numRuns: scaledRuns(300) },
  );
});

test.run();
