/** Programs and files from Go modules: built or fetched once, stored below `.cache/e2e`. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The linker drops the tables for debuggers, and writing them is a sixth of a first build's CPU time. */
const WITHOUT_DEBUGGING = '-gcflags=all=-dwarf=false';
const CACHE = fileURLToPath(new URL('../../../../.cache/e2e', import.meta.url));

/**
 * The program of a folder with a Go module, built once for the same files; it has the name of the folder.
 * @param source the folder's absolute path
 * @param ldflags for the linker, such as version stamps
 * @param main the package of the program, if the module only requires it, such as `helm.sh/helm/v3/cmd/helm`
 * @param print receives a line when building begins: the first build takes minutes
 * @returns its absolute path
 * @throws Error if Go is missing, or with the output of a failed build
 */
export async function goProgram(
  source: string,
  {
    ldflags = '',
    main = '.',
    print = () => {},
  }: { readonly ldflags?: string; readonly main?: string; readonly print?: (line: string) => void } = {},
): Promise<string> {
  const name = basename(source);
  const folder = join(CACHE, `${name}-${digestOf(source, ldflags)}`);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  print(`building ${name} with Go: this takes some minutes the first time`);
  mkdirSync(folder, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  const flags = ['-trimpath', '-buildvcs=false', WITHOUT_DEBUGGING, '-ldflags', `-s -w ${ldflags}`];
  await go(['build', ...flags, '-o', unfinished, main], source);
  renameSync(unfinished, program);
  return program;
}

/**
 * The folder with the files of a module that another module requires.
 * @param source the absolute path of the folder of the requiring module
 * @param module its path, such as `istio.io/api`
 * @throws Error if Go is missing, or with the output of a failed fetch
 */
export async function goModuleFolder(source: string, module: string): Promise<string> {
  const { Dir } = JSON.parse(await go(['mod', 'download', '-json', module], source)) as { Dir: string };
  return Dir;
}

/** Hash of all files of a module and of the linker flags. */
function digestOf(folder: string, ldflags: string): string {
  const hash = createHash('sha256').update(ldflags);
  for (const file of readdirSync(folder).sort()) hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Runs `go` until it exits; resolves with its output. */
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
      reject(new Error('real programs need Go 1.24 or later, and PATH has no go; install it and try again', { cause }));
    });
    child.on('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`go ${args.join(' ')} failed in ${cwd}:\n${complaints || printed}`));
    });
  });
}
