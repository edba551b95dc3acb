/** Packed values: the content is the same before and after packing. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { deepEqual } from '../../src/graph/deep-equal.ts';
import { Packed } from '../../src/packed/packed.ts';
import { Page } from '../../src/packed/page.ts';
import { smallPages } from '../support/fleet-states.ts';

function putAway<V>(...values: readonly V[]): Packed<V>[] {
  const all = values.map((value) => new Packed(value));
  const page = new Page(
    all.map(({ text }) => text),
    smallPages,
  );
  for (const [nth, packed] of all.entries()) packed.putAway(page, nth);
  return all;
}

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

test('a packed value unpacks to the same value', () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 1 }), (values) => {
      assert.equal(
        putAway(...values).map(({ value }) => value),
        values,
      );
    }),
  );
});

test('two are equal exactly if their values are, wherever they are stored', () => {
  fc.assert(
    fc.property(json, json, fc.boolean(), (one, other, same) => {
      const [a, b] = [one, same ? structuredClone(one) : other];
      const expected = deepEqual(a, b);
      for (const left of [new Packed(a), ...putAway(a)])
        for (const right of [new Packed(b), ...putAway(b)]) {
          assert.is(deepEqual(left, right), expected);
          assert.is(deepEqual({ left }, { left: right }), expected, 'inside of something');
        }
    }),
  );
});

test('a packed value is not a plain object', () => {
  assert.not(deepEqual(new Packed({}), {}));
  assert.is(JSON.stringify({ a: new Packed({ b: 1 }) }), '{"a":{"b":1}}');
});

test.run();
