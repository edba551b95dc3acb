/** Shrunk inputs that once violated a property: stored in this package, and tried first in every run. */
import { readdirSync, readFileSync } from 'node:fs';

const RETAINED = new URL('../stored/', import.meta.url);

/** The stored inputs, by the suffix of their files: a history of a fleet, an attacked fleet, a corrupted object. */
type StoredAs = 'history' | 'attack' | 'object';

/** By file name. */
export function retained<T>(as: StoredAs): ReadonlyArray<{ readonly name: string; readonly value: T }> {
  return readdirSync(RETAINED)
    .filter((name) => name.endsWith(`.${as}.json`))
    .sort()
    .map((name) => ({ name, value: JSON.parse(readFileSync(new URL(name, RETAINED), 'utf8')) as T }));
}
