/** Schedules that are kept as files, each with what it found. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Violation } from '../check/violation.ts';
import type { Schedule } from './schedule.ts';

/** A schedule with what it found when it was kept. */
export interface Retained extends Schedule {
  /** The file's name, without its ending. */
  readonly name: string;
  readonly found: Violation;
}

/** A folder of them. */
export class ScheduleFiles {
  readonly #folder: URL;

  /** @param folder from the top of this package */
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

/** Schedules that failed once, shrunk: run again every time. */
export const failures: ScheduleFiles = new ScheduleFiles('kept');
/** For each mutant, a schedule that shows it. */
export const exposures: ScheduleFiles = new ScheduleFiles('mutants');

/** The name of a failure's file. */
export function failureName({ seed }: Schedule, { invariant }: Violation): string {
  return `${invariant}-${seed.replace(/[^a-z0-9]+/gi, '-')}`;
}
