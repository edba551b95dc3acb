/** The runtimes that the packages promise to run in, and which packages promise each. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bring, NODE_LINES } from '../bootstrap/bring.mjs';
import { binFolder, nodeTool, tools } from '../bootstrap/tools.mjs';
import type { Manifest } from './manifest.ts';

export interface Runtime {
  readonly title: string;
  /** The program and its options. */
  readonly command: readonly [string, ...string[]];
  admits(manifest: Manifest): boolean;
}

/** The maintained lines. */
const OLDEST_MAJOR = 22;
const DENO = ['run', '--allow-all', '--quiet', '--no-lock', '--node-modules-dir=manual'];
/** Far above the seconds that it takes, for machines with other work. */
const DEADLINE = 300_000;

const run = promisify(execFile);

/** Each maintained Node by its major version, which is fetched if missing. */
export async function nodeRuntimes(root: string): Promise<readonly Runtime[]> {
  const lines = NODE_LINES.filter((version) => Number.parseInt(version, 10) >= OLDEST_MAJOR);
  const runtimes: Runtime[] = [];
  for (const version of lines) {
    const program = join(await bring(root, nodeTool(version)), 'node');
    runtimes.push({
      title: `Node ${version}`,
      command: [program, '--disable-warning=ExperimentalWarning'],
      admits: ({ engines }) => oldestOf(engines?.['node']) <= Number.parseInt(version, 10),
    });
  }
  return runtimes;
}

/** Deno, which all public packages run in. */
export function denoRuntime(root: string): Runtime {
  return {
    title: `Deno ${tools.deno.version}`,
    command: [join(binFolder(root, tools.deno), 'deno'), ...DENO],
    admits: () => true,
  };
}

function oldestOf(range = ''): number {
  const [, major = ''] = /^>=(\d+)/.exec(range) ?? [];
  return Number(major);
}

/** Uses packages in a project; what failed, and how many checks there were. */
export async function useIn(
  { title, command: [program, ...options] }: Runtime,
  folder: string,
  names: readonly string[],
): Promise<{ readonly problems: readonly string[]; readonly checks: number }> {
  const { output, failed } = await run(program, [...options, 'main.ts', ...names], {
    cwd: folder,
    timeout: DEADLINE,
    maxBuffer: 2 ** 26,
  }).then(
    ({ stdout, stderr }) => ({ output: stdout + stderr, failed: false }),
    ({ stdout, stderr, signal }) => ({ output: `${stdout}${stderr}${signal ?? ''}`, failed: true }),
  );
  const [, checks = '0'] = /^(\d+) checks$/m.exec(output) ?? [];
  return { problems: failed || checks === '0' ? [`${title}: ${output}`] : [], checks: Number(checks) };
}
