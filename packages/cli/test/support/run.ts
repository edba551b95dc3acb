/** Runs meshctl: the real program, or a command of it in this process. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';
import { runCommand } from '../../src/run-command.ts';

const DEADLINE_MS = 120_000;

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs meshctl with these arguments in a folder, until it ends; `env` is added to the environment. */
export function meshctl(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [builtProgram('meshctl'), ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: DEADLINE_MS,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/**
 * The same in this process, one at a time: a separate process spends a second or more on loading, which many runs can
 * avoid.
 */
export async function meshctlHere(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Result> {
  const before = { cwd: process.cwd(), env: { ...process.env }, exitCode: process.exitCode };
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  try {
    process.chdir(cwd);
    Object.assign(process.env, env);
    process.exitCode = undefined;
    await runCommand(args);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout[Symbol.dispose]();
    stderr[Symbol.dispose]();
    process.exitCode = before.exitCode;
    for (const name of Object.keys(env)) {
      const value = before.env[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    process.chdir(before.cwd);
  }
}

/** Captures output to a stream until it is disposed. */
function capture(stream: NodeJS.WriteStream): Disposable & { text(): string } {
  const { write } = stream;
  const chunks: string[] = [];
  stream.write = ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    chunks.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  }) as typeof stream.write;
  return {
    text: () => chunks.join(''),
    [Symbol.dispose]: () => {
      stream.write = write;
    },
  };
}
