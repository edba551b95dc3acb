/** Histories that once broke a law, shrunk: kept beside this package's tests, and tried first for ever. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Event } from './world.ts';

const KEPT = new URL('../kept/', import.meta.url);

/** By the names of their files. */
export function keptHistories(): ReadonlyArray<{ readonly name: string; readonly history: readonly Event[] }> {
  return readdirSync(KEPT)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, history: JSON.parse(readFileSync(new URL(name, KEPT), 'utf8')) as Event[] }));
}
