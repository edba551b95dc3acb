/** The laws of the whole over a few random fleets, and over those kept because they once broke one. */
import { scaledRuns, test } from '@meshrelay/testing';
import { kept } from '../src/kept.ts';
import { holdProperties, keepEveryProperty } from '../src/random-fleets.ts';
import type { Event } from '../src/world.ts';

test('random fleets keep every law', () => {
  holdProperties({ runs: scaledRuns(40), seed: 20_261_121, report: console.log });
});

for (const { name, value: history } of kept<readonly Event[]>('history')) {
  test(`kept: ${name}`, () => {
    keepEveryProperty(history, 0);
  });
}

test.run();
