/** What real traffic takes, and what is said where it is not there. */
import process from 'node:process';
import { assert, test } from '@meshrelay/testing';
import { findMeans } from '../traffic/means.ts';

const NAMED = 'MESHRELAY_ENVOY';
const before = process.env[NAMED];

test.after(() => {
  if (before === undefined) delete process.env[NAMED];
  else process.env[NAMED] = before;
});

test('an Envoy that is named is used, on addresses that no other demo has', async () => {
  process.env[NAMED] = '/somewhere/envoy';
  await using cleanup = new AsyncDisposableStack();
  const [one, other] = [await findMeans(), await findMeans()];
  for (const means of [one, other]) if (!('lacking' in means)) cleanup.use(means);
  // Not everywhere there is what it takes; then it is said.
  if ('lacking' in one || 'lacking' in other) {
    assert.ok('lacking' in one && one.lacking.length > 10);
    return;
  }
  assert.is(one.program.path, '/somewhere/envoy');
  assert.match(one.network, /^127\.\d+\.\d+\.$/);
  assert.is.not(one.network, other.network);
});

test.run();
