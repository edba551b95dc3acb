/** How many random fleets CI tries, and by which seeds. */
import process from 'node:process';

/** Fleets in one run of CI. */
export const RUNS_OF_CI = 5000;

/** Another one in each run, told at its start; `MESHRELAY_SEED` repeats a run. */
export function seedOfThisRun(part: number): number {
  const given = Number(process.env['MESHRELAY_SEED'] ?? Number.NaN);
  return Number.isInteger(given) ? given : (Date.now() % 1_000_000_000) + part;
}
