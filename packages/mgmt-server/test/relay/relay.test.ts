/** Registration check when agents connect. */
import type { RelayError } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { isRegistered } from '../../src/relay/relay.ts';
import { fleetOf } from '../support/fleet.ts';

const fleet = await fleetOf('c1');

function evaluated(registryKnown: boolean, ended: readonly string[] = []) {
  const management = { registryKnown, registry: Promise.resolve() };
  const options = { fleet, management, isEndedOnPeer: (name: string) => ended.includes(name) };
  return (cluster: string) => isRegistered(options, cluster).catch((error: RelayError) => error.code);
}

test('a registered cluster is admitted, and another is rejected once the registrations are synced', async () => {
  assert.equal([await evaluated(true)('c1'), await evaluated(true)('c2')], [true, false]);
  assert.is(await evaluated(false)('c2'), 'RELAY_E_UNAVAILABLE');
});

test('a cluster deregistered at another replica is not admitted before the API server confirms', async () => {
  assert.is(await evaluated(true, ['c1'])('c1'), 'RELAY_E_UNAVAILABLE');
  assert.is(await evaluated(true, ['c2'])('c1'), true);
});

test.run();
