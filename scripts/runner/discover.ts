/** Finds the test files of a checkout. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Never searched: dependencies, build outputs, templates, examples (which run from the tarballs), and files that fail on
 * purpose (the runner's fixtures).
 */
const LEFT_OUT = new Set(['node_modules', 'dist', 'fixtures', 'golden', 'template', 'examples', 'coverage']);

/**
 * Suites in addition to the fast one, by the word before `.test.ts`: slow ones, those that need a real Kubernetes API
 * server, Redis, Envoy, or a whole real mesh, properties with many runs, and tests that checks catch wrong plugins.
 */
export const SUITES = ['slow', 'kube', 'redis', 'envoy', 'traffic', 'properties', 'mutants'] as const;

/**
 * Paths from `root`, sorted, of the files named `*.test.ts` that belong to no suite of {@link SUITES}; with a suite, of
 * those named `*.<suite>.test.ts`. Searches the whole checkout, so that no test file in an unusual place is missed.
 */
export function findTestFiles(root: string, { suite }: { readonly suite?: string | undefined } = {}): string[] {
  return walk(root, '')
    .filter((file) => SUITES.find((each) => file.endsWith(`.${each}.test.ts`)) === suite)
    .sort();
}

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : walk(root, path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** The files whose path contains at least one of the patterns, and the patterns without a match. */
export function select(
  files: readonly string[],
  patterns: readonly string[],
): { readonly selected: readonly string[]; readonly unmatched: readonly string[] } {
  return {
    selected:
      patterns.length === 0 ? files : files.filter((file) => patterns.some((pattern) => file.includes(pattern))),
    unmatched: patterns.filter((pattern) => !files.some((file) => file.includes(pattern))),
  };
}
