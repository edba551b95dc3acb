/** Runs the laws over random fleets, so many of them, and keeps what breaks one. */
import { crdValidator } from '@meshrelay/plugin-kit';
import { meshCrdFiles } from '@meshrelay/testing';
import { holdAtRandom, type RandomRuns } from '@meshrelay/testing/random-runs';
import { histories } from './histories.ts';
import * as laws from './laws.ts';
import { statusesAreTrue } from './status-laws.ts';
import type { Event } from './world.ts';

/** One fleet in so many is compared with scratch after every event, not only at the end. */
const WATCHED = 20;

const CRD_FILES = (['istio', 'osm'] as const).map(meshCrdFiles);
/** Undefined on a machine without copies of the meshes' own CRDs. */
const problemsOf = CRD_FILES.includes(undefined) ? undefined : crdValidator(CRD_FILES.flatMap((files) => files ?? []));

/** @throws Error where a law is broken, with the seed and the file of the shrunk history */
export function holdLaws(runs: Pick<RandomRuns<readonly Event[]>, 'runs' | 'seed' | 'tell'>): void {
  holdAtRandom({ what: 'random fleets', values: histories, law: keepEveryLaw, ...runs });
}

/** All laws over one history. `dice` decides on the order and on how closely it is watched. */
export function keepEveryLaw(history: readonly Event[], dice: number): void {
  const closely = dice % WATCHED === 0;
  const lived = laws.live(history, closely ? laws.incrementalIsFromScratch : undefined);
  laws.incrementalIsFromScratch(lived);
  laws.orderDoesNotMatter(lived, weightsFrom(dice));
  laws.everyObjectHasItsReason(lived);
  if (problemsOf !== undefined) laws.everyObjectIsTaken(lived, problemsOf);
  laws.everyPolicyIsJudged(lived);
  statusesAreTrue(lived);
  laws.tellingAgainChangesNothing(lived);
  laws.nothingRemains(lived);
}

/** Numbers that look random, the same for the same seed. */
function weightsFrom(seed: number): (index: number) => number {
  return (index) => Math.imul((index + 1) ^ seed, 0x9e37_79b1) >>> 0;
}
