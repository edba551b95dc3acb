/** Programs as JavaScript in one folder, by esbuild. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';

/** What is bundled. */
export interface BundlePlan {
  /** The folder that paths begin at. */
  readonly root: string;
  /** The TypeScript entry of each program by its name, as a path from the root. */
  readonly entries: Readonly<Record<string, string>>;
  /** The folder for the files; it exists. */
  readonly folder: string;
}

export interface Bundle {
  /** The files that went in, as paths from the root. */
  readonly inputs: readonly string[];
  /** The names of the files of each program. Programs share files: bundling all at once takes as long as one alone. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** The folders of the installed packages whose code is in each program, as paths from the root. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
}

/** Without it, esbuild would read the tsconfig.json of each package, and a build would depend on them. */
const COMPILER_OPTIONS = { compilerOptions: { target: 'es2024', verbatimModuleSyntax: true } };

/** CommonJS packages in a bundle call `require` for Node's own modules, and all code for `node:http`. */
const REQUIRE =
  "import { createRequire as createRequireOf } from 'node:module';const require = createRequireOf(import.meta.url);const $http = () => require('node:http');";

const STACK_TRACES = readFileSync(join(import.meta.dirname, 'stack-traces.mjs'), 'utf8');
const STACK_TRACES_FILE = 'stack-traces.js';

/** A file of its own, so that the rest is loaded when stack traces already name the sources. */
const mainOf = (name: string): string => `#!/usr/bin/env node
import './${STACK_TRACES_FILE}';
await import('./${programFile(name)}');
`;

const programFile = (name: string): string => `${name}.program.js`;

/** The file that starts a program. */
export const mainFile = (name: string): string => `${name}.js`;

/**
 * Packages that libraries load only if they are installed, and that stay out: native code that makes WebSockets faster
 * (`ws`), and whether a terminal has colours (`debug`).
 */
const OPTIONAL: ReadonlySet<string> = new Set(['bufferutil', 'utf-8-validate', 'supports-color']);

/** Everything in this file and the version of esbuild: other text gives other bundles. */
export const BUNDLER: string = readFileSync(import.meta.filename, 'utf8') + STACK_TRACES;

/** Writes the programs. @throws Error with esbuild's messages */
export function bundle({ root, entries, folder }: BundlePlan): Bundle {
  const { buildSync, stop } = loadEsbuild();
  let metafile: Metafile;
  try {
    ({ metafile } = buildSync({
      absWorkingDir: root,
      entryPoints: Object.entries(entries).map(([name, path]) => ({
        in: path,
        out: basename(programFile(name), '.js'),
      })),
      outdir: folder,
      bundle: true,
      // What a program loads only when it needs it, such as a command of meshctl or OpenTelemetry, is a file of its
      // own.
      splitting: true,
      chunkNames: '[name]-[hash]',
      platform: 'node',
      format: 'esm',
      target: 'node24',
      tsconfigRaw: COMPILER_OPTIONS,
      banner: { js: REQUIRE },
      sourcemap: 'linked',
      // The map names the sources; their text stays out of images.
      sourcesContent: false,
      minifySyntax: true,
      minifyWhitespace: true,
      // Node prints the line of a fatal error.
      lineLimit: 200,
      // The licences of bundled libraries, next to the code.
      legalComments: 'external',
      metafile: true,
      logLevel: 'silent',
    }));
  } catch (cause) {
    throw new Error(`the programs cannot be built: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  } finally {
    // It would keep its process for the next build.
    stop();
  }
  refuseMissing(metafile);
  for (const path of Object.keys(metafile.outputs)) if (path.endsWith('.js')) requireHttp(join(root, path));
  writeFileSync(join(folder, STACK_TRACES_FILE), STACK_TRACES);
  const names = Object.keys(entries);
  for (const name of names) writeFileSync(join(folder, mainFile(name)), mainOf(name), { mode: 0o755 });
  const files = Object.fromEntries(names.map((name) => [name, filesOf(name, metafile)]));
  return {
    inputs: Object.keys(metafile.inputs),
    files,
    packages: Object.fromEntries(names.map((name) => [name, packagesIn(files[name] ?? [], metafile)])),
  };
}

/**
 * Loads `node:http` by `require`: an import reads all its exports, and one of them loads Node's own fetch, which takes
 * 50 ms. Every word keeps its place, so that the source map stays true.
 */
function requireHttp(path: string): void {
  const text = readFileSync(path, 'utf8');
  const changed = text.replaceAll(
    /\bimport(\{[^}]*\}|\*as \w+ | \w+ )from"(?:node:)?http"/g,
    (statement, names: string) => {
      const head = `let   ${names.replace('*as ', '    ').replaceAll(' as ', ':   ')}`;
      return `${head}=$http()`.padEnd(statement.length);
    },
  );
  if (changed !== text) writeFileSync(path, changed);
}

/** @throws Error for packages that a program would have to find in node_modules */
function refuseMissing({ outputs }: Metafile): void {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const missing = imports.filter(({ path, external }) => external && !isBuiltin(path) && !OPTIONAL.has(path));
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(({ path }) => path))].sort();
  throw new Error(`the programs cannot be built: ${names.join(', ')} cannot be bundled; install it, or see OPTIONAL`);
}

/** What a program may load, with maps and licences. */
function filesOf(name: string, { outputs }: Metafile): readonly string[] {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const loaded = new Set([programFile(name)]);
  for (const file of loaded)
    for (const { path, external } of byName.get(file)?.imports ?? []) if (external !== true) loaded.add(basename(path));
  const more = [...loaded].flatMap((file) => [`${file}.map`, `${file}.LEGAL.txt`]).filter((file) => byName.has(file));
  return [mainFile(name), STACK_TRACES_FILE, ...loaded, ...more].sort();
}

/** The folders of installed packages, such as `node_modules/.pnpm/zod@4.6.7/node_modules/zod`. */
function packagesIn(files: readonly string[], { outputs }: Metafile): readonly string[] {
  const contained = Object.entries(outputs)
    .filter(([path]) => files.includes(basename(path)))
    .flatMap(([, output]) => Object.keys(output.inputs));
  const folders = contained.map((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** Loaded only for a build: most callers find theirs made. */
const loadEsbuild = (): typeof import('esbuild') => createRequire(import.meta.url)('esbuild');
