/** Whether TypeScript finds the types of each entry of a tarball, and whether they are those of the code. */
import { checkPackage, type Problem } from '@arethetypeswrong/core';
import type { Manifest } from './manifest.ts';
import type { Tarball } from './tarballs.ts';

/**
 * How programs resolve imports. Left out are `node10`, which knows no `exports` and which TypeScript 7 has dropped, and
 * `node16-cjs`: all packages are ESM only, and Node itself loads them by `require`.
 */
const RESOLUTIONS: ReadonlySet<string> = new Set(['node16-esm', 'bundler']);

/** One line for each problem. */
export async function typesProblems({ contents, manifest }: Tarball): Promise<readonly string[]> {
  if (!hasModules(manifest)) return [];
  const result = await checkPackage(contents);
  if (!result.types) return [`${manifest.name}: it has no types; build it with \`npm run exec -- tsc -b\``];
  return result.problems.filter(concerns).map((problem) => `${manifest.name}: ${JSON.stringify(problem)}`);
}

/** The package of a program has none. */
function hasModules({ exports = {} }: Manifest): boolean {
  return Object.keys(exports).some((entry) => !entry.endsWith('.json'));
}

function concerns(problem: Problem): boolean {
  return !('resolutionKind' in problem) || RESOLUTIONS.has(problem.resolutionKind);
}
