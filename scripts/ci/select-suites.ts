/** The suites that a command line names. */
import type { Suite } from './suites.ts';

/** Suites with the titles, or all without one. @throws Error naming unknown titles */
export function selectSuites(suites: readonly Suite[], titles: readonly string[]): readonly Suite[] {
  const unknown = titles.filter((title) => !suites.some((suite) => suite.title === title));
  if (unknown.length > 0) {
    const known = suites.map(({ title }) => title).join(', ');
    throw new Error(`no suite is called ${unknown.join(', ')}; there are ${known}`);
  }
  return suites.filter(({ title }) => titles.length === 0 || titles.includes(title));
}
