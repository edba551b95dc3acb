/** Histories that once broke a law, shrunk: kept beside this package's tests, and tried first for ever. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Event } from './world.ts';

const KEPT = new URL('../kept/', import.meta.url);
const FOUND = new URL('../../.cache/properties/', import.meta.url);

/** By the names of their files. */
export function keptHistories(): ReadonlyArray<{ readonly name: string; readonly history: readonly Event[] }> {
  return readdirSync(KEPT)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, history: JSON.parse(readFileSync(new URL(name, KEPT), 'utf8')) as Event[] }));
}

/** Writes a history down; returns the path of the file, which is to be moved to `properties/kept`. */
export function writeDown(history: readonly Event[], seed: number): string {
  mkdirSync(FOUND, { recursive: true });
  const file = new URL(`seed-${seed}.json`, FOUND);
  writeFileSync(file, `${JSON.stringify(history, null, 1)}\n`);
  return fileURLToPath(file);
}
