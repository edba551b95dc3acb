/** Finds the imports of each source with esbuild's parser, so that text in strings and comments does not count. */
import { build, type Plugin } from 'esbuild';

/** One import of a file. */
export interface Import {
  /** The path of the importing file, from the root. */
  readonly file: string;
  /** The text between the quotes. */
  readonly specifier: string;
  /** Whether only types are imported, so that nothing is loaded at run time. */
  readonly typeOnly: boolean;
}

/** `import type` and `export type ... from`, which a parser that strips types would omit. */
const TYPE_ONLY = /^(\s*(?:import|export))\s+type\s+(?=[*{]|\w+\s+from\b)/gm;

/** All imports of the files, in order of file and specifier. */
export async function scanImports(files: ReadonlyMap<string, string>): Promise<Import[]> {
  const values = await importsOf(files);
  const all = await importsOf(new Map([...files].map(([path, text]) => [path, text.replace(TYPE_ONLY, '$1 ')])));
  return [...all].flatMap(([file, specifiers]) =>
    [...specifiers].sort().map((specifier) => ({ file, specifier, typeOnly: !values.get(file)?.has(specifier) })),
  );
}

/** Files for one call of esbuild, whose memory grows with the square of its entry points. */
const BATCH = 250;

async function importsOf(files: ReadonlyMap<string, string>): Promise<Map<string, Set<string>>> {
  const all = new Map<string, Set<string>>();
  const paths = [...files.keys()];
  for (let start = 0; start < paths.length; start += BATCH)
    for (const [file, imports] of await importsOfSome(paths.slice(start, start + BATCH), files)) all.set(file, imports);
  return all;
}

async function importsOfSome(
  paths: readonly string[],
  files: ReadonlyMap<string, string>,
): Promise<Array<readonly [string, Set<string>]>> {
  const { metafile } = await build({
    entryPoints: paths.map((file) => `${PREFIX}${file}`),
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unused',
    format: 'esm',
    platform: 'neutral',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    plugins: [inMemory(files)],
  });
  return paths.map((file) => {
    const input = metafile.inputs[`${NAMESPACE}:${file}`];
    if (!input) throw new Error(`esbuild did not read ${file}; it read ${Object.keys(metafile.inputs).join(', ')}`);
    return [file, new Set(input.imports.map((each) => each.path))];
  });
}

const NAMESPACE = 'source';
/** Prevents entry points from looking like files on the disk, which esbuild would rename. */
const PREFIX = 'in-memory:';

/** Passes the given texts to esbuild, and prevents it from following any import. */
function inMemory(files: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ kind, path }) =>
        kind === 'entry-point' ? { path: path.slice(PREFIX.length), namespace: NAMESPACE } : { path, external: true },
      );
      onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({ contents: files.get(path) ?? '', loader: 'ts' }));
    },
  };
}
