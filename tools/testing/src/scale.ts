/** How much of what could be tried without end is tried: random values, and cases of which there are very many. */
import process from 'node:process';

/** The environment variable: 1 tries all that tests ask for, as CI does, 10 tries ten times as many random values. */
export const TEST_SCALE = 'MESHRELAY_TEST_SCALE';
/** By hand a twentieth is tried, which finds what breaks a property in most cases. */
const DEFAULT_SCALE = 0.05;
/** Never fewer than these, where as many are asked for. */
const MIN_RUNS = 10;

/**
 * How many random values a property is tried with: a share of `all`, by {@link TEST_SCALE}. A test that also counts what came up
 * among them says its number itself.
 * @throws Error when the variable is not a number above 0
 */
export function scaledRuns(all: number): number {
  return Math.max(Math.min(all, MIN_RUNS), Math.round(all * testScale()));
}

/** A share of the cases by {@link TEST_SCALE}, at least `least`, spread evenly over the list; all of them from 1 on. */
export function scaledSample<T>(cases: readonly T[], least = 1): readonly T[] {
  const count = Math.min(cases.length, Math.max(least, Math.ceil(cases.length * testScale())));
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
  return scale;
}
