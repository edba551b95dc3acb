/** How much is tried at random in CI; `MESHRELAY_TEST_SCALE` multiplies it. */
import { scaledRuns } from '@meshrelay/testing';

/** Random fleets. */
export const FLEETS: number = scaledRuns(1500);
/** Poisoned objects. */
export const POISONED_OBJECTS: number = scaledRuns(5000);
/** Fleets of real meshes under siege. */
export const SIEGES: number = scaledRuns(200);
