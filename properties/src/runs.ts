/** Number of random runs in CI; `MESHRELAY_TEST_SCALE` multiplies it. */
import { scaledRuns } from '@meshrelay/testing';

/** Random fleets. */
export const FLEETS: number = scaledRuns(750);
/** Corrupted objects. */
export const POISONED_OBJECTS: number = scaledRuns(5000);
/** Fleets of real meshes with an adversary. */
export const ATTACKED_FLEETS: number = scaledRuns(200);
