/** What once broke a law, shrunk: kept beside this package's tests, and tried first for ever. */
import { readdirSync, readFileSync } from 'node:fs';

const RETAINED = new URL('../stored/', import.meta.url);

/** What is kept, by what its files are named after: a history of a fleet, a siege, an object that was spoilt. */
type StoredAs = 'history' | 'siege' | 'object';

/** By the names of their files. */
export function retained<T>(as: StoredAs): ReadonlyArray<{ readonly name: string; readonly value: T }> {
  return readdirSync(RETAINED)
    .filter((name) => name.endsWith(`.${as}.json`))
    .sort()
    .map((name) => ({ name, value: JSON.parse(readFileSync(new URL(name, RETAINED), 'utf8')) as T }));
}
