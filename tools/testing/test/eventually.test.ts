import { pauseAfter } from '../src/eventually.ts';
import { assert, eventually, test } from '../src/mod.ts';

test('a slow probe is repeated less often, up to a longest pause', () => {
  assert.equal(
    [0, 1, 20, 90, 5_000].map((probe) => pauseAfter(probe, 10)),
    [10, 10, 60, 270, 300],
  );
  assert.is(pauseAfter(0, 1_000), 1_000, 'a chosen pause is not shortened');
});

test('the first value that is neither undefined, null nor false ends it', async () => {
  const values = [undefined, null, false, 0];
  assert.is(await eventually('a number', () => values.shift(), { every: 0 }), 0);
});

test('what was missing is named, with what was seen', async () => {
  const failure = await eventually('a value', () => undefined, { deadline: 0, seen: () => 'nothing yet' }).catch(
    (error: Error) => error,
  );
  assert.ok(failure instanceof Error);
  assert.is(failure.message, 'waited 0 ms for: a value; saw "nothing yet"');
});

test.run();
