/** The laws of the whole over a few random fleets, and over those kept because they once broke one. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { histories } from '../src/histories.ts';
import { kept } from '../src/kept.ts';
import { live, tally } from '../src/laws.ts';
import { holdLaws, keepEveryLaw } from '../src/random-fleets.ts';
import type { Event } from '../src/world.ts';

const KINDS = [
  ...['VirtualService', 'DestinationRule', 'ServiceEntry', 'Gateway', 'AuthorizationPolicy', 'PeerAuthentication'],
  ...['TrafficTarget', 'HTTPRouteGroup', 'TCPRoute', 'TrafficSplit', 'ObjectPatch'],
];
const STATES = ['ACCEPTED', 'CONFLICT', 'DEGRADED', 'INVALID', 'PENDING'];
/** Of users' objects, workspaces, consents, Services of unusual kinds. */
const CODES = [
  ...['OBJECT_EXISTS', 'CLAIMED', 'NEIGHBOUR', 'HIDDEN', 'WEAKENED', 'NOT_GRANTED', 'NEEDS_CONSENT', 'HEADLESS'],
  ...['OTHER_ADDRESS_FAMILY', 'SHARED_WORKLOADS', 'LAST_GOOD_IN_FORCE', 'NOT_FEDERATED'],
];
/** Fleets looked at in turn until all has come up, and how many turns at most. */
const TURN = 25;
const TURNS = 60;

test('the fleets are worth looking at: every kind of object, every state and the reports that matter come up', () => {
  const missing = new Set([...KINDS, ...STATES, ...CODES]);
  for (let turn = 0; missing.size > 0 && turn < TURNS; turn += 1)
    for (const history of fc.sample(histories, { numRuns: TURN, seed: turn }))
      for (const name of tally(live(history).fleet.plane).keys()) missing.delete(name);
  assert.equal([...missing], [], `not among ${TURN * TURNS} fleets`);
});

test('random fleets keep every law', () => {
  holdLaws({ runs: 40, seed: 20_261_121, tell: console.log });
});

for (const { name, value: history } of kept<readonly Event[]>('history')) {
  test(`kept: ${name}`, () => {
    keepEveryLaw(history, 0);
  });
}

test.run();
