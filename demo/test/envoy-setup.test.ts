/** The requirements of real traffic, and the message if they are missing. */
import process from 'node:process';
import { assert, test } from '@meshrelay/testing';
import { findEnvoySetup } from '../traffic/envoy-setup.ts';

const NAMED = 'MESHRELAY_ENVOY';
const before = process.env[NAMED];

test.after(() => {
  if (before === undefined) delete process.env[NAMED];
  else process.env[NAMED] = before;
});

test('a named Envoy is used, on addresses that no other demo has', async () => {
  process.env[NAMED] = '/somewhere/envoy';
  await using cleanup = new AsyncDisposableStack();
  const [one, other] = [await findEnvoySetup(), await findEnvoySetup()];
  for (const setup of [one, other]) if (!('reason' in setup)) cleanup.use(setup);
  // Some machines lack the requirements; then the demo reports that.
  if ('reason' in one || 'reason' in other) {
    assert.ok('reason' in one && one.reason.length > 10);
    return;
  }
  assert.is(one.program.path, '/somewhere/envoy');
  assert.match(one.network, /^127\.\d+\.\d+\.$/);
  assert.is.not(one.network, other.network);
});

test.run();
