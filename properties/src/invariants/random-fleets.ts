/** Checks the properties on the given number of random fleets, and stores histories that violate one. */
import { crdValidator } from '@meshrelay/plugin-kit';
import { meshCrdFiles } from '@meshrelay/testing';
import { holdAtRandom, type RandomRuns } from '@meshrelay/testing/random-runs';
import type { Event } from '../fleets/fleet.ts';
import { histories } from '../fleets/histories.ts';
import * as properties from './invariants.ts';
import { statusesAreTrue } from './status-properties.ts';

/** One fleet in this many is compared with processing from scratch after every event, not only at the end. */
const WATCHED = 20;

const CRD_FILES = (['istio', 'osm'] as const).map(meshCrdFiles);
/** Undefined on a machine without copies of the meshes' own CRDs. */
const problemsOf = CRD_FILES.includes(undefined) ? undefined : crdValidator(CRD_FILES.flatMap((files) => files ?? []));

/** @throws Error if a property is violated, with the seed and the file of the shrunk history */
export function holdProperties(runs: Pick<RandomRuns<readonly Event[]>, 'runs' | 'seed' | 'report'>): void {
  holdAtRandom({ what: 'random fleets', values: histories, property: keepEveryProperty, ...runs });
}

/** All properties over one history. `dice` decides the order and how closely the run is checked. */
export function keepEveryProperty(history: readonly Event[], dice: number): void {
  const closely = dice % WATCHED === 0;
  const lived = properties.live(history, closely ? properties.incrementalIsFromScratch : undefined);
  properties.incrementalIsFromScratch(lived);
  properties.orderDoesNotMatter(lived, weightsFrom(dice));
  properties.everyObjectHasItsReason(lived);
  if (problemsOf !== undefined) properties.everyObjectIsTaken(lived, problemsOf);
  properties.everyPolicyIsEvaluated(lived);
  statusesAreTrue(lived);
  properties.resendingChangesNothing(lived);
  properties.nothingRemains(lived);
}

/** Pseudo-random numbers, reproducible by seed. */
function weightsFrom(seed: number): (index: number) => number {
  return (index) => Math.imul((index + 1) ^ seed, 0x9e37_79b1) >>> 0;
}
