/** The demo's real requests: real Envoys behave as the library's policies specify. */
import { assert, test } from '@meshrelay/testing';
import { envoyProgram } from '@meshrelay/testing/envoy';
import { type EnvoySetup, findEnvoySetup } from '../traffic/envoy-setup.ts';
import { REQUESTS } from '../traffic/traffic.ts';
import { startFleet } from './support/fleet.ts';

if ((await envoyProgram()) !== undefined) {
  const setup = await findEnvoySetup();
  if ('reason' in setup) console.log(`SKIPPED ${setup.reason}`);
  else
    test('both versions serve the desk, the visitor is denied, and both callers are known by their identities', () =>
      reported(setup));
}

async function reported(setup: EnvoySetup): Promise<void> {
  await using _setup = setup;
  await using fleet = await startFleet(setup);
  const { sent } = fleet.reported;
  assert.ok(sent);
  const { envoys, desk, caller, visitor } = sent.traffic;
  assert.equal([envoys, caller, visitor], [4, 'spiffe://cluster.local/ns/library/sa/desk', { 403: REQUESTS.visitor }]);
  const { v1 = 0, v2 = 0 } = desk;
  assert.is(v1 + v2, REQUESTS.desk, JSON.stringify(desk));
  // Five standard deviations around 80.
  assert.ok(v1 >= 60 && v2 > 0, JSON.stringify(desk));
}

test.run();
