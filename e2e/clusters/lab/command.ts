/** Commands that run until they exit. */
import { type ExecFileOptions, execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Milliseconds until it is killed. */
  readonly timeout?: number;
}

/** Resolves with its standard output. @throws Error with its output if it fails */
export async function run(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { env = {}, ...rest } = options;
  const all: ExecFileOptions = { ...rest, env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT };
  try {
    return String((await execute(program, args, all)).stdout);
  } catch (cause) {
    const { stdout = '', stderr = '', message } = cause as Error & { stdout?: string; stderr?: string };
    const printed = `${stdout}${stderr}`.trim();
    throw new Error(`${program} ${args.join(' ')}: ${printed === '' ? message : printed}`, { cause });
  }
}

/** Runs it in the network of a process. */
export function runIn(
  pid: number,
  program: string,
  args: readonly string[],
  options?: CommandOptions,
): Promise<string> {
  return run('nsenter', ['-t', String(pid), '-n', program, ...args], options);
}
