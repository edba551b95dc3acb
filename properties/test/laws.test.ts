/** The laws of the whole over a few random fleets, and over those kept because they once broke one. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { histories } from '../src/histories.ts';
import { keptHistories } from '../src/kept.ts';
import { live, tally } from '../src/laws.ts';
import { holdLaws, keepEveryLaw } from '../src/random-fleets.ts';

const KINDS = [
  ...['VirtualService', 'DestinationRule', 'ServiceEntry', 'Gateway', 'AuthorizationPolicy', 'PeerAuthentication'],
  ...['TrafficTarget', 'HTTPRouteGroup', 'TrafficSplit'],
];
const STATES = ['ACCEPTED', 'CONFLICT', 'DEGRADED', 'INVALID', 'PENDING'];

test('the fleets are worth looking at: every kind of object and every state comes up', () => {
  const seen = new Map<string, number>();
  for (const history of fc.sample(histories, { numRuns: 100, seed: 10 }))
    for (const [name, count] of tally(live(history).fleet.plane)) seen.set(name, (seen.get(name) ?? 0) + count);
  for (const name of [...KINDS, ...STATES])
    assert.ok((seen.get(name) ?? 0) > 0, `no ${name} among ${JSON.stringify([...seen])}`);
});

test('random fleets keep every law', () => {
  holdLaws({ runs: 40, seed: 20_261_121, tell: console.log });
});

for (const { name, history } of keptHistories()) {
  test(`kept: ${name}`, () => {
    keepEveryLaw(history, 0);
  });
}

test.run();
