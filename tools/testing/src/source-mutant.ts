/** A bug that tests must expose: one exact change of a source file, made while the file is loaded. */
import { registerHooks } from 'node:module';

export interface SourceMutant {
  readonly name: string;
  /** The file, relative to the root of the workspace. */
  readonly file: string;
  /** Text that occurs exactly once, and its replacement. */
  readonly find: string;
  readonly put: string;
}

/**
 * Loads the file with the change. Call it before importing Meshrelay.
 * @throws Error, when the file is loaded, as `mutated` does
 */
export function plant(mutant: SourceMutant): void {
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
export function mutated({ name, file, find, put }: SourceMutant, source: string): string {
  const found = source.split(find).length - 1;
  if (found !== 1)
    throw new Error(`mutant ${name}: ${file} has its text ${found} times, expected once; correct the mutant`);
  return source.replace(find, () => put);
}
