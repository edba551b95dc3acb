/** How long clusters wait. */

/** Milliseconds for each step of a cluster's start, on a busy machine. */
export const STEP_WITHIN = 120_000;
