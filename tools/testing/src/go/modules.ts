/** Programs and files that come as Go modules: built or fetched once, kept below `.cache/e2e`. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../../../.cache/e2e', import.meta.url));

/**
 * The program of a folder with a Go module, built unless that was done before from the same files; it bears the folder's name.
 * @param source the folder's absolute path
 * @param ldflags for the linker, such as version stamps
 * @param print receives a line when building begins: it takes minutes the first time
 * @returns its absolute path
 * @throws Error where Go is missing, or with what its build printed
 */
export async function goProgram(
  source: string,
  { ldflags = '', print = () => {} }: { readonly ldflags?: string; readonly print?: (line: string) => void } = {},
): Promise<string> {
  const name = basename(source);
  const folder = join(CACHE, `${name}-${digestOf(source, ldflags)}`);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  print(`building ${name} with Go: this takes some minutes the first time`);
  mkdirSync(folder, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  await go(['build', '-trimpath', '-buildvcs=false', '-ldflags', `-s -w ${ldflags}`, '-o', unfinished, '.'], source);
  renameSync(unfinished, program);
  return program;
}

/**
 * The folder of the files of a module that another requires.
 * @param source the absolute path of the folder of the one that requires it
 * @param module its path, such as `istio.io/api`
 * @throws Error where Go is missing, or with what fetching printed
 */
export async function goModuleFolder(source: string, module: string): Promise<string> {
  const { Dir } = JSON.parse(await go(['mod', 'download', '-json', module], source)) as { Dir: string };
  return Dir;
}

/** Of all files of a module and what it is linked with. */
function digestOf(folder: string, ldflags: string): string {
  const hash = createHash('sha256').update(ldflags);
  for (const file of readdirSync(folder).sort()) hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Runs `go` to its end; resolves with what it printed. */
function go(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    let printed = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
    });
    child.on('error', (cause) => {
      reject(
        new Error(
          'real programs are built with Go 1.24 or later, and there is no go on PATH; install it and try again',
          { cause },
        ),
      );
    });
    child.on('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`go ${args.join(' ')} failed in ${cwd}:\n${complaints || printed}`));
    });
  });
}
