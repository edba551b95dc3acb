/**
 * Finds the test files that a change can affect: those that reach a changed file by imports and by paths in their text.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Manifest } from '../imports/source.ts';
import { declaredIn, type Import, importsIn, type Names, type ReExport, reExportsIn } from './re-exports.ts';
import { manifestsIn, resolvePackage } from './workspace-packages.ts';

export interface AffectedFiles {
  /** Paths from the root of all files that differ from the commit, new ones included. */
  readonly changed: readonly string[];
  /** The test files that a changed one can affect. */
  readonly affected: readonly string[];
}

/** Files that affect installing and running everything. */
const AFFECTS_ALL = new Set(['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'deno.json', 'scripts/runner/worker.ts']);

/**
 * Compares the working tree with its common ancestor with `reference`.
 * @throws Error if git does not know the commit
 */
export function affectedFiles(root: string, testFiles: readonly string[], reference: string): AffectedFiles {
  const changed = changedFiles(root, reference);
  if (changed.some((file) => AFFECTS_ALL.has(file))) return { changed, affected: testFiles };
  const graph = new FileGraph(root);
  const hit = new Set(changed);
  return { changed, affected: testFiles.filter((file) => graph.reaches(file, hit)) };
}

function changedFiles(root: string, reference: string): string[] {
  const git = (...args: string[]): string[] => {
    const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return output.split('\n').filter((line) => line !== '');
  };
  try {
    const differing = git('diff', '--name-only', '--merge-base', reference);
    return [...new Set([...differing, ...git('ls-files', '--others', '--exclude-standard')])].sort();
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    throw new Error(`--changed=${reference}: ${stderr.trim()}; name a commit or branch of this checkout`, { cause });
  }
}

/** A relative path or a package of the workspace, in quotes: an import, or a file that a test reads. */
const PATH = /['"`]((?:\.{1,2}\/|\.\.?$|@meshrelay\/)[^'"`\s]*|\.\.?)['"`]/g;

/** References between files, computed on demand. */
class FileGraph {
  readonly #root: string;
  readonly #manifests: ReadonlyMap<string, Manifest>;
  readonly #texts = new Map<string, string>();
  readonly #references = new Map<string, readonly string[]>();
  readonly #reExports = new Map<string, readonly ReExport[] | undefined>();
  readonly #declared = new Map<string, ReadonlySet<string>>();
  /** By file and name. */
  readonly #definitions = new Map<string, readonly string[]>();
  readonly #exists = new Map<string, boolean>();

  constructor(root: string) {
    this.#root = root;
    this.#manifests = manifestsIn(root);
  }

  /** Whether references from a file lead to one of the others, or to a folder that contains one of them. */
  reaches(start: string, targets: ReadonlySet<string>): boolean {
    const seen = new Set([start]);
    for (const path of seen) {
      if (targets.has(path)) return true;
      if (!path.endsWith('.ts')) {
        if ([...targets].some((target) => target.startsWith(`${path}/`))) return true;
      } else for (const next of this.#referencesOf(path)) seen.add(next);
    }
    return false;
  }

  /**
   * Empty for a file that only re-exports: its importers refer to the files that define the names, see {@link #behind}.
   */
  #referencesOf(file: string): readonly string[] {
    return cache(this.#references, file, () => {
      if (this.#reExportsOf(file)) return [];
      const { imports, rest } = importsIn(this.#textOf(file));
      const paths = [...rest.matchAll(PATH)].map(([, specifier = '']): Import => ({ specifier, names: undefined }));
      return [...imports, ...paths].flatMap(({ specifier, names }) =>
        this.#resolve(file, specifier).flatMap((path) => this.#behind(path, names)),
      );
    });
  }

  /** A file or folder, and for one that only re-exports also the files that define these names. */
  #behind(path: string, names: Names): string[] {
    const reExports = this.#reExportsOf(path) ?? [];
    if (names === undefined) return [path, ...reExports.flatMap((each) => this.#follow(path, each, undefined))];
    return [path, ...[...names].flatMap((name) => this.#definitionsOf(path, reExports, name))];
  }

  /** The file that defines a name. If no target of an `export *` declares it, all targets: one of them did, or will. */
  #definitionsOf(path: string, reExports: readonly ReExport[], name: string): readonly string[] {
    return cache(this.#definitions, `${path} ${name}`, () => {
      const named = reExports.filter((each) => each.names?.has(name));
      if (named.length > 0) return named.flatMap((each) => this.#follow(path, each, each.names?.get(name)));
      const all = reExports.filter((each) => each.names === undefined);
      const declaring = all.filter(({ specifier }) =>
        this.#resolve(path, specifier).some((file) => this.#has(file, name)),
      );
      return (declaring.length > 0 ? declaring : all).flatMap((each) => this.#follow(path, each, name));
    });
  }

  #follow(path: string, { specifier }: ReExport, name: string | undefined): string[] {
    const names = name === undefined ? undefined : new Set([name]);
    return this.#resolve(path, specifier).flatMap((file) => this.#behind(file, names));
  }

  #has(file: string, name: string): boolean {
    if (!file.endsWith('.ts')) return false;
    const declared = cache(this.#declared, file, () => declaredIn(this.#textOf(file)));
    return this.#reExportsOf(file) !== undefined || declared.has(name);
  }

  #reExportsOf(file: string): readonly ReExport[] | undefined {
    if (!file.endsWith('.ts')) return undefined;
    return cache(this.#reExports, file, () => reExportsIn(this.#textOf(file)));
  }

  #textOf(file: string): string {
    return cache(this.#texts, file, () => readFileSync(join(this.#root, file), 'utf8'));
  }

  /** Files and folders from the root; empty for a missing path, or for one that contains a whole package. */
  #resolve(from: string, path: string): string[] {
    if (path.startsWith('@')) return resolvePackage(path, this.#manifests);
    const target = posix.join(posix.dirname(from), path).replace(/\/$/, '');
    const isOutside = target === '.' || target.startsWith('..');
    if (isOutside || this.#manifests.has(target)) return [];
    return cache(this.#exists, target, () => existsSync(join(this.#root, target))) ? [target] : [];
  }
}

function cache<Value>(known: Map<string, Value>, key: string, find: () => Value): Value {
  if (known.has(key)) return known.get(key) as Value;
  const found = find();
  known.set(key, found);
  return found;
}
