/** Non-interference at the scale of CI. */
import { test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import { sieges } from './support/adversary.ts';
import { adversaryChangesNothing } from './support/siege-laws.ts';

/** Besieged fleets in one run of CI. */
const RUNS = 5000;

test('T7: an adversary that owns every object of a cluster changes nothing about others', () => {
  holdAtRandom({
    what: 'sieges',
    values: sieges,
    law: adversaryChangesNothing,
    runs: RUNS,
    seed: seedOfThisRun(3),
    tell: console.log,
  });
});

test.run();
