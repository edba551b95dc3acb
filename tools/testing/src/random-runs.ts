/** Laws over values made at random: seeds are told, and the least value that breaks a law is written down. */
import { mkdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

/** Where values that broke a law are written to, one file each. */
const FOUND = new URL('../../../.cache/properties/', import.meta.url);

/** What is tried. */
export interface RandomRuns<T> {
  /** What the values are, for readers: `random fleets`. */
  readonly what: string;
  readonly values: fc.Arbitrary<T>;
  /** How many of them. */
  readonly runs: number;
  readonly seed: number;
  /** Throws an Error where the value breaks it. `dice` is another random number, for choices that are no part of the value. */
  readonly property: (value: T, dice: number) => void;
  /** Receives the line that tells of the runs and their seed. */
  readonly report: (line: string) => void;
}

/** @throws Error where the law is broken, with the seed and the file of the shrunk value */
export function holdAtRandom<T>({ what, values, runs, seed, property, report: log }: RandomRuns<T>): void {
  log(`${runs} ${what}, seed ${seed}`);
  demand(what, seed, fc.check(fc.property(values, fc.nat(), property), { numRuns: runs, seed, endOnFailure: false }));
}

/** The same for a law that takes turns of the event loop; one value after the other. */
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

/** Another seed in each run and each part of it; `MESHRELAY_FIRST_SEED` is what they are counted from, `MESHRELAY_SEED` repeats one. */
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
