/**
 * The case that measures memory in the published form, as JavaScript: a process that runs TypeScript holds Node's
 * compiler of 10 MiB.
 */
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

/** No tree shaking: the loaded modules are complete, as in installed packages. */
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
