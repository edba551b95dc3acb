/** The case that measures memory as the product is published: as JavaScript. Node holds a compiler of 10 MiB in a process that it runs TypeScript in. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCE = fileURLToPath(new URL('./memory-case.ts', import.meta.url));

export interface CompiledCase extends AsyncDisposable {
  /** The program. */
  readonly path: string;
}

/** Nothing is left out of the modules that are loaded, whether it is used or not: nobody who installs packages has them without that either. */
export async function compiledMemoryCase(): Promise<CompiledCase> {
  const folder = await mkdtemp(join(tmpdir(), 'meshrelay-bench-'));
  const path = join(folder, 'memory-case.mjs');
  const remove = (): Promise<void> => rm(folder, { recursive: true });
  try {
    await build({
      entryPoints: [SOURCE],
      outfile: path,
      bundle: true,
      treeShaking: false,
      ignoreAnnotations: true,
      platform: 'node',
      format: 'esm',
      // Libraries that are CommonJS inside require modules of Node.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'warning',
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}
