/** Schedules stored as files, each with its result. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Violation } from '../check/violation.ts';
import type { Schedule } from './schedule.ts';

/** A schedule with its result at the time it was stored. */
export interface Retained extends Schedule {
  /** The file's name, without its extension. */
  readonly name: string;
  readonly found: Violation;
}

/** A folder of schedules. */
export class ScheduleFiles {
  readonly #folder: URL;

  /** @param folder relative to the root of this package */
  constructor(folder: string) {
    this.#folder = new URL(`../../${folder}/`, import.meta.url);
  }

  /** By name. */
  all(): Retained[] {
    const files = readdirSync(this.#folder)
      .filter((file) => file.endsWith('.json'))
      .sort();
    return files.map((file) => ({
      name: file.replace(/\.json$/, ''),
      ...(JSON.parse(readFileSync(new URL(file, this.#folder), 'utf8')) as Omit<Retained, 'name'>),
    }));
  }

  keep(name: string, { seed, shape, operations }: Schedule, found: Violation): void {
    mkdirSync(this.#folder, { recursive: true });
    const text = JSON.stringify({ seed, shape, operations, found }, undefined, 2);
    writeFileSync(new URL(`${name}.json`, this.#folder), `${text}\n`);
  }
}

/** Schedules that failed once, shrunk: every run includes them. */
export const failures: ScheduleFiles = new ScheduleFiles('regressions');
/** For each mutant, a schedule that exposes it. */
export const exposures: ScheduleFiles = new ScheduleFiles('mutants');

/** The name of a failure's file. */
export function failureName({ seed }: Schedule, { invariant }: Violation): string {
  return `${invariant}-${seed.replace(/[^a-z0-9]+/gi, '-')}`;
}
