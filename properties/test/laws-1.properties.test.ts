/** Half of CI's random fleets, by seeds of its own: the halves run side by side. */
import { test } from '@meshrelay/testing';
import { seedOfThisRun } from '@meshrelay/testing/random-runs';
import { holdLaws } from '../src/random-fleets.ts';
import { RUNS_OF_CI } from '../src/runs.ts';

test('random fleets keep every law', () => {
  holdLaws({ runs: RUNS_OF_CI / 2, seed: seedOfThisRun(1), tell: console.log });
});

test.run();
