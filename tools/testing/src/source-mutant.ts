/** A bug that tests must expose: one exact change of a source file, made while the file is loaded. */
import { type LoadHookSync, type ResolveHookSync, registerHooks } from 'node:module';

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

const MUTANTS = new Map<string, SourceMutant>();

/**
 * Loads a module with the change, as a copy next to the modules that the process has loaded before. Modules of the same
 * package are copies, too; all others are shared.
 * @param entry the module, relative to the root of the workspace
 * @throws Error as `mutated` does, or if the module does not import the file
 */
export async function importMutant(mutant: SourceMutant, entry: string): Promise<Readonly<Record<string, unknown>>> {
  if (MUTANTS.size === 0) registerHooks({ resolve: resolveCopy, load: loadCopy });
  const id = String(MUTANTS.size);
  MUTANTS.set(id, mutant);
  const copy: Readonly<Record<string, unknown>> = await import(new URL(`${entry}?${COPY}=${id}`, ROOT).href);
  if (!loadedFiles.has(`${id} ${mutant.file}`))
    throw new Error(`mutant ${mutant.name}: ${entry} does not import ${mutant.file}; correct the mutant`);
  return copy;
}

const ROOT = new URL('../../../', import.meta.url);
const COPY = 'mutant';
const loadedFiles = new Set<string>();

/** Modules of the package of a copy are copies. */
const resolveCopy: ResolveHookSync = (specifier, context, next) => {
  const resolved = next(specifier, context);
  const id = copyOf(context.parentURL);
  if (id === undefined || !specifier.startsWith('.')) return resolved;
  return { ...resolved, url: `${resolved.url}?${COPY}=${id}` };
};

const loadCopy: LoadHookSync = (url, context, next) => {
  const loaded = next(url, context);
  const id = copyOf(url);
  const mutant = id === undefined ? undefined : MUTANTS.get(id);
  if (mutant === undefined || !url.startsWith(new URL(mutant.file, ROOT).href)) return loaded;
  loadedFiles.add(`${id} ${mutant.file}`);
  return { ...loaded, source: mutated(mutant, String(loaded.source)) };
};

function copyOf(url: string | undefined): string | undefined {
  return url?.startsWith('file:') === true ? (new URL(url).searchParams.get(COPY) ?? undefined) : undefined;
}
