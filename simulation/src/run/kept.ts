/** Schedules that failed once, shrunk: run again every time. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Violation } from '../check/violation.ts';
import type { Schedule } from './schedule.ts';

/** A schedule with what it found when it was kept. */
export interface Kept extends Schedule {
  readonly name: string;
  readonly found: Violation;
}

const FOLDER = new URL('../../kept/', import.meta.url);

export function keptSchedules(): Kept[] {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort();
  return files.map((file) => ({
    name: file.replace(/\.json$/, ''),
    ...(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Omit<Kept, 'name'>),
  }));
}

/** @returns the file's name */
export function keep({ seed, shape, operations }: Schedule, found: Violation): string {
  const file = `${found.invariant}-${seed.replace(/[^a-z0-9]+/gi, '-')}.json`;
  writeFileSync(new URL(file, FOLDER), `${JSON.stringify({ seed, shape, operations, found }, undefined, 2)}\n`);
  return file;
}
