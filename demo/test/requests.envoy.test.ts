/** The demo's real requests: real Envoys behave as the library's policies specify. */
import { assert, test } from '@meshrelay/testing';
import { envoyProgram } from '@meshrelay/testing/envoy';
import { findMeans, type Means } from '../traffic/means.ts';
import { REQUESTS } from '../traffic/traffic.ts';
import { startFleet } from './support/fleet.ts';

if ((await envoyProgram()) !== undefined) {
  const means = await findMeans();
  if ('reason' in means) console.log(`SKIPPED ${means.reason}`);
  else
    test('both versions serve the desk, the visitor is denied, and both callers are known by their identities', () =>
      reported(means));
}

async function reported(means: Means): Promise<void> {
  await using _means = means;
  await using fleet = await startFleet(means);
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
