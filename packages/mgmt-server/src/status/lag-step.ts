/** Steps in which lags are reported. */

const SECOND = 1000;

const MINUTE = 60 * SECOND;

/** Steps of reported lags, so that a status is not written every second. */
const STEPS: ReadonlyArray<readonly [number, string]> = [
  [60 * MINUTE, '1h'],
  [10 * MINUTE, '10m'],
  [MINUTE, '1m'],
  [30 * SECOND, '30s'],
  [5 * SECOND, '5s'],
];

/** The step that a lag has reached, as a Go-style duration. */
export function lagStep(milliseconds: number): string {
  return STEPS.find(([least]) => milliseconds >= least)?.[1] ?? '0s';
}
