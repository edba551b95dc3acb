/** Runs meshctl: the real program, or a command of it in this process. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';
import { runCommand } from '../../src/run-command.ts';
import { type Result, runHere } from './run-here.ts';

export type { Result };

const DEADLINE_MS = 120_000;

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
export function meshctlHere(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Result> {
  return runHere(() => runCommand(args), cwd, env);
}
