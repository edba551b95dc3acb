/** How much CI tries. */

/** Random fleets in one run of CI. */
export const RUNS_OF_CI = 5000;
/** Poisoned objects in one run of CI. */
export const OBJECTS_OF_CI = 20_000;
/** Fleets of real meshes under siege in one run of CI. */
export const SIEGES_OF_CI = 600;
