/** Half of CI's random fleets, with separate seeds: the halves run in parallel. */
import { test } from '@meshrelay/testing';
import { seedOfThisRun } from '@meshrelay/testing/random-runs';
import { holdProperties } from '../src/invariants/random-fleets.ts';
import { FLEETS } from '../src/runs.ts';

test('random fleets satisfy every property', () => {
  holdProperties({ runs: Math.ceil(FLEETS / 2), seed: seedOfThisRun(2), report: console.log });
});

test.run();
