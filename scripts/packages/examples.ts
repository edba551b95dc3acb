/** The examples, as their readers use them: installed from the tarballs, compiled, tested. */
import { execFile } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Far above the seconds that it takes, for machines with other work. */
const DEADLINE = 120_000;
const STEPS: ReadonlyArray<readonly [string, ...string[]]> = [
  ['pnpm', 'install', '--ignore-scripts', '--no-lockfile', '--ignore-workspace'],
  ['pnpm', 'run', 'check'],
  ['pnpm', 'test'],
];

/**
 * @param folder an empty one
 * @param registry has the tarballs
 */
export async function tryExamples(
  root: string,
  folder: string,
  registry: string,
): Promise<{ readonly problems: readonly string[]; readonly checks: number }> {
  cpSync(join(root, 'examples'), folder, { recursive: true });
  const names = readdirSync(folder);
  const problems: string[] = [];
  for (const name of names) {
    const cwd = join(folder, name);
    writeFileSync(join(cwd, '.npmrc'), `@meshrelay:registry=${registry}/\n`);
    try {
      for (const [program, ...args] of STEPS) await run(program, args, { cwd, timeout: DEADLINE });
    } catch (error) {
      const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
      problems.push(`examples/${name}: ${message}\n${stdout}${stderr}`);
    }
  }
  return { problems, checks: names.length };
}
