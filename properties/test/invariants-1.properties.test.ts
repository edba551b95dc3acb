/** Half of CI's random fleets, with separate seeds: the halves run in parallel. */
import { assert, test } from '@meshrelay/testing';
import { seedOfThisRun } from '@meshrelay/testing/random-runs';
import fc from 'fast-check';
import { histories } from '../src/fleets/histories.ts';
import { counter, live } from '../src/invariants/invariants.ts';
import { holdProperties } from '../src/invariants/random-fleets.ts';
import { FLEETS } from '../src/runs.ts';

const KINDS = [
  ...['VirtualService', 'DestinationRule', 'ServiceEntry', 'Gateway', 'AuthorizationPolicy', 'PeerAuthentication'],
  ...['TrafficTarget', 'HTTPRouteGroup', 'TCPRoute', 'TrafficSplit', 'ObjectPatch'],
];
const STATES = ['ACCEPTED', 'CONFLICT', 'DEGRADED', 'INVALID', 'PENDING'];
/** Codes about users' objects, workspaces, consents, Services of unusual kinds. */
const CODES = [
  ...[
    'OBJECT_EXISTS',
    'OBJECT_CONFLICT',
    'OVERLAPPING_OBJECT',
    'SERVICES_HIDDEN',
    'MTLS_WEAKENED',
    'REF_NOT_PERMITTED',
    'NEEDS_CONSENT',
    'HEADLESS',
  ],
  ...['ADDRESS_FAMILY_MISMATCH', 'SHARED_WORKLOADS', 'USING_LAST_KNOWN_GOOD', 'NOT_FEDERATED'],
];
/** Fleets per round, until everything has occurred, and the maximum number of rounds. */
const TURN = 25;
const ROUNDS = 60;

test('the fleets are rich: every kind of object, every state and the important reports occur', () => {
  const missing = new Set([...KINDS, ...STATES, ...CODES]);
  for (let turn = 0; missing.size > 0 && turn < ROUNDS; turn += 1)
    for (const history of fc.sample(histories, { numRuns: TURN, seed: turn }))
      for (const name of counter(live(history).fleet.plane).keys()) missing.delete(name);
  assert.equal([...missing], [], `not among ${TURN * ROUNDS} fleets`);
});

test('random fleets satisfy every property', () => {
  holdProperties({ runs: Math.ceil(FLEETS / 2), seed: seedOfThisRun(1), report: console.log });
});

test.run();
