/** Sets of numbers with one, few and many members behave like a Set. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type NumberSet, numbersIn, withNumber, withoutNumber } from '../../../src/graph/rows/number-set.ts';

test('behaves like a Set, after any additions and removals', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 60 }), { maxLength: 400 }), (steps) => {
      let set: NumberSet;
      const model = new Set<number>();
      for (const number of steps) {
        if (model.delete(number)) set = withoutNumber(set, number);
        else {
          model.add(number);
          set = withNumber(set, number);
        }
        assert.equal([...numbersIn(set)].sort(byValue), [...model].sort(byValue));
        assert.is(set === undefined, model.size === 0);
      }
    }),
  );
});

function byValue(a: number, b: number): number {
  return a - b;
}

test.run();
