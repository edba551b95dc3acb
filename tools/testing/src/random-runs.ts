/** Properties over random values: reports the seeds, and writes the smallest value that breaks a property to a file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

/** Folder for values that broke a property, one file each. */
const FOUND = new URL('../../../.cache/properties/', import.meta.url);

/** The runs. */
export interface RandomRuns<T> {
  /** Name of the values in output: `random fleets`. */
  readonly what: string;
  readonly values: fc.Arbitrary<T>;
  /** Number of values. */
  readonly runs: number;
  readonly seed: number;
  /**
   * Throws an Error if the value breaks the property. `dice` is another random number, for choices that are not part of
   * the value.
   */
  readonly property: (value: T, dice: number) => void;
  /** Receives the line that reports the runs and their seed. */
  readonly report: (line: string) => void;
}

/** @throws Error if the property is broken, with the seed and the file of the shrunk value */
export function holdAtRandom<T>({ what, values, runs, seed, property, report: log }: RandomRuns<T>): void {
  log(`${runs} ${what}, seed ${seed}`);
  demand(what, seed, fc.check(fc.property(values, fc.nat(), property), { numRuns: runs, seed, endOnFailure: false }));
}

/** The same for an asynchronous property; one value after the other. */
export async function holdInTurn<T>({
  what,
  values,
  runs,
  seed,
  property,
  report: log,
}: Omit<RandomRuns<T>, 'property'> & { readonly property: (value: T, dice: number) => Promise<void> }): Promise<void> {
  log(`${runs} ${what}, seed ${seed}`);
  demand(what, seed, await fc.check(fc.asyncProperty(values, fc.nat(), property), { numRuns: runs, seed }));
}

function demand<T>(what: string, seed: number, result: fc.RunDetails<[T, number]>): void {
  if (!result.failed) return;
  const [value] = result.counterexample ?? [];
  const { errorInstance } = result as { errorInstance?: unknown };
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const path = writeDown(`${what.replaceAll(' ', '-')}-seed-${seed}`, value);
  throw new Error(
    `${what}, seed ${seed}, path ${result.counterexamplePath}: the least that breaks it is in ${path}\n${why}`,
  );
}

/**
 * A different seed in each run and each part of it. `MESHRELAY_FIRST_SEED` is the first seed, `MESHRELAY_SEED` repeats
 * one.
 */
export function seedOfThisRun(part: number): number {
  return wholeNumber('MESHRELAY_SEED') ?? (wholeNumber('MESHRELAY_FIRST_SEED') ?? Date.now() % 1_000_000_000) + part;
}

function wholeNumber(variable: string): number | undefined {
  const number = Number(process.env[variable] ?? Number.NaN);
  return Number.isInteger(number) ? number : undefined;
}

/** @returns the path of the file */
function writeDown(name: string, value: unknown): string {
  mkdirSync(FOUND, { recursive: true });
  const file = new URL(`${name}.json`, FOUND);
  writeFileSync(file, `${JSON.stringify(value, null, 1)}\n`);
  return fileURLToPath(file);
}
