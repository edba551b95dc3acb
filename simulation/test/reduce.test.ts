import { assert, test } from '@meshrelay/testing';
import type { Operation } from '../src/run/operation.ts';
import { reduce } from '../src/run/reduce.ts';

const operations = Array.from({ length: 12 }, (_, at): Operation => ({ at, do: 'delete-virtual-mesh' }));
const schedule = { seed: 's', shape: { servers: 1, clusters: 1, agents: 1, shared: false }, operations };

test('a schedule shrinks to the operations that make it fail', () => {
  const { operations: left } = reduce(schedule, ({ operations: some }) =>
    [3, 7].every((time) => some.some(({ at }) => at === time)),
  );
  assert.equal(
    left.map(({ at }) => at),
    [3, 7],
  );
});

test('a schedule that fails without any operation shrinks to none', () => {
  assert.is(reduce(schedule, () => true).operations.length, 0);
});

test.run();
