/**
 * The properties of the whole product over a few random fleets, and over those stored because they once violated one.
 */
import { scaledRuns, test } from '@meshrelay/testing';
import type { Event } from '../src/fleets/fleet.ts';
import { holdProperties, keepEveryProperty } from '../src/invariants/random-fleets.ts';
import { retained } from '../src/stored.ts';

test('random fleets satisfy every property', () => {
  holdProperties({ runs: scaledRuns(40, { least: 4 }), seed: 20_261_121, report: console.log });
});

for (const { name, value: history } of retained<readonly Event[]>('history')) {
  test(`stored: ${name}`, () => {
    keepEveryProperty(history, 0);
  });
}

test.run();
