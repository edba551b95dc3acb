/** Runs meshctl in a pseudo-terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { builtProgram } from '@meshrelay/programs';

/** A text that must appear on the screen after the previous one, and the keys that are then typed. */
export type Step = readonly [text: string, keys: string];

export const ENTER = '\r';
export const TAB = '\t';
export const DOWN = '\u001b[B';
export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const CTRL_U = '\u0015';

export interface Screen {
  /** Everything that was printed, without control sequences. */
  readonly screen: string;
  readonly code: number;
}

const SECONDS = 120;

/**
 * @throws Error with the screen if a text does not appear, or without Python 3, whose module `pty` makes the terminal
 */
export async function inTerminal(args: readonly string[], cwd: string, steps: readonly Step[]): Promise<Screen> {
  const python = spawn('python3', ['-I', join(import.meta.dirname, 'terminal.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const argv = [process.execPath, builtProgram('meshctl'), ...args];
  const env = { NO_COLOR: '1', TERM: 'xterm', KUBECONFIG: '' };
  const started = once(python, 'spawn').catch((cause: unknown) => {
    throw new Error('python3 is needed for a pseudo-terminal, and could not be started; install Python 3', { cause });
  });
  await started;
  python.stdin.end(JSON.stringify({ argv, cwd, env, steps, seconds: SECONDS }));
  const ended = once(python, 'close');
  const output = await text(python.stdout);
  await ended;
  const { screen, code, missing } = JSON.parse(output) as Screen & { readonly missing: string | null };
  if (missing !== null) throw new Error(`"${missing}" did not appear; the screen was\n${screen}`);
  return { screen, code };
}
