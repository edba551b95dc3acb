/** A design bug that is put into the product for a simulation to catch: one exact change of one source file, made while it is loaded. */
import { registerHooks } from 'node:module';

export interface Mutant {
  readonly name: string;
  /** The lesson it forgets, in a sentence. */
  readonly forgets: string;
  /** The file, from the top of the workspace. */
  readonly file: string;
  /** What stands there exactly once, and what takes its place. */
  readonly find: string;
  readonly put: string;
  /** The storms in which it shows. */
  readonly storms: readonly string[];
}

/**
 * Has the file loaded with the change. To be called before the product is imported.
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

/** The text of its file with the change. @throws Error where what is to be replaced is not there exactly once: mend the mutant with the source */
export function mutated({ name, file, find, put }: Mutant, source: string): string {
  const found = source.split(find).length - 1;
  if (found !== 1)
    throw new Error(`mutant ${name}: ${file} has its text ${found} times, expected once; mend simulation/src/mutants`);
  return source.replace(find, () => put);
}
