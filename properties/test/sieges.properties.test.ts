/** Non-interference of the meshes' real plugins, at the scale of CI. */
import { test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import { SIEGES_OF_CI } from '../src/runs.ts';
import { adversaryChangesNothing } from '../src/siege/siege-law.ts';
import { sieges } from '../src/siege/sieges.ts';

test('an adversary that owns every object of a cluster changes nothing about others, whatever the meshes', () => {
  const [what, seed] = ['sieges of real meshes', seedOfThisRun(5)];
  holdAtRandom({ what, values: sieges, law: adversaryChangesNothing, runs: SIEGES_OF_CI, seed, tell: console.log });
});

test.run();
