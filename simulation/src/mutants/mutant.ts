/**
 * A design bug that a simulation must catch: one exact change of one of Meshrelay's source files, made while it is
 * loaded.
 */
import { registerHooks } from 'node:module';

export interface Mutant {
  readonly name: string;
  /** The lesson that the mutant ignores, in a sentence. */
  readonly forgets: string;
  /** The file, relative to the root of the workspace. */
  readonly file: string;
  /** Text that occurs exactly once, and its replacement. */
  readonly find: string;
  readonly put: string;
  /** The storms that expose it. */
  readonly storms: readonly string[];
}

/**
 * Loads the file with the change. Call it before importing Meshrelay.
 * @throws Error, when the file is loaded, as `mutated` does
 */
export function plant(mutant: Mutant): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/${mutant.file}`)) return loaded;
      return { ...loaded, source: mutated(mutant, String(loaded.source)) };
    },
  });
}

/**
 * The text of its file with the change. @throws Error if the replaced text does not occur exactly once: update the
 * mutant to the source
 */
export function mutated({ name, file, find, put }: Mutant, source: string): string {
  const found = source.split(find).length - 1;
  if (found !== 1)
    throw new Error(
      `mutant ${name}: ${file} has its text ${found} times, expected once; correct simulation/src/mutants`,
    );
  return source.replace(find, () => put);
}
