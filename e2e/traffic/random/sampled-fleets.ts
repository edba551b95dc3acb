/** The random fleets of a seed. */
import fc from 'fast-check';
import { type RandomFleet, randomFleets } from './random-fleet.ts';

export function sampledFleets(runs: number, seed: number): RandomFleet[] {
  return fc.sample(randomFleets, { numRuns: runs, seed });
}
