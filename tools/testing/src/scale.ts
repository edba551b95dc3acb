/** Share of open-ended test input to try: random values, and very large sets of cases. */
import process from 'node:process';

/** The environment variable: 1 tries all that tests request, as CI does; 10 tries ten times as many random values. */
export const TEST_SCALE = 'MESHRELAY_TEST_SCALE';
/** Manual runs try a twentieth, which finds most violations of a property. */
const DEFAULT_SCALE = 0.05;
/** Deno runs the same code as Node: it tries a twentieth of what Node tries, but no less than manual runs. */
const SHARE_IN_DENO = 0.05;
/** Minimum number of values of a test that sets none, if it requests that many. */
const MIN_RUNS = 10;

export interface RunsOptions {
  /** Minimum number of values; default: 10. */
  readonly least?: number;
}

/**
 * Number of random values to try for a property: a share of `all`, by {@link TEST_SCALE}. A test that also counts
 * occurrences among the values sets its own number.
 * @throws Error if the variable is not a number above 0
 */
export function scaledRuns(all: number, { least = MIN_RUNS }: RunsOptions = {}): number {
  return Math.max(Math.min(all, least), Math.round(all * testScale()));
}

export interface SampleOptions {
  /** Minimum number of cases; default: 1. */
  readonly least?: number;
  /** How often each case is used; below scale 1, the more often, the fewer are tried. Default: 1. */
  readonly uses?: number;
}

/** A share of the cases by {@link TEST_SCALE}, spread evenly over the list; all of them from 1 on. */
export function scaledSample<T>(cases: readonly T[], { least = 1, uses = 1 }: SampleOptions = {}): readonly T[] {
  const scale = testScale();
  const share = scale < 1 ? scale / uses : 1;
  const count = Math.min(cases.length, Math.max(least, Math.ceil(cases.length * share)));
  return Array.from({ length: count }, (_, index) => cases[Math.floor((index * cases.length) / count)] as T);
}

/** All cases in Node; in Deno, which runs the same code, the share of {@link scaledSample}. */
export function scaledInDeno<T>(cases: readonly T[]): readonly T[] {
  return 'Deno' in globalThis ? scaledSample(cases) : cases;
}

function testScale(): number {
  const text = process.env[TEST_SCALE];
  const scale = text === undefined || text === '' ? DEFAULT_SCALE : Number(text);
  if (!(scale > 0 && Number.isFinite(scale))) {
    throw new Error(`${TEST_SCALE} is ${JSON.stringify(text)}; expected a number above 0, such as 1 to try all`);
  }
  return 'Deno' in globalThis ? Math.min(scale, Math.max(DEFAULT_SCALE, scale * SHARE_IN_DENO)) : scale;
}
