/** A program that runs in addition to the tests and ends with them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { endWithUs } from './end-with-us.ts';

/** Number of output lines retained for error messages. */
const RETAINED_LINES = 40;

/** A running program. */
export interface Child extends AsyncDisposable {
  readonly pid: number | undefined;
  /** The last lines of its output. */
  lastWords(): string;
  /** Rejects when the program ends, with its exit code or signal and its last output; never resolves. */
  readonly untilItEnds: Promise<never>;
  /** Sends a signal, such as SIGSTOP; does nothing once it has ended. */
  signal(signal: NodeJS.Signals): void;
  /** Kills it, as a crash would, and waits until it has ended. */
  kill(): Promise<void>;
}

/** Options for running a program. */
export interface ChildOptions {
  readonly cwd: string;
  /** Added to this process's environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a program; it is killed when this process exits normally. */
export function startChild(program: string, args: readonly string[], { cwd, env = {} }: ChildOptions): Child {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter((line) => line !== ''));
      lines.splice(0, Math.max(0, lines.length - RETAINED_LINES));
    });
  }
  const { promise: untilItEnds, reject } = Promise.withResolvers<never>();
  untilItEnds.catch(() => {}); // callers that wait for it get the error; others ignore it
  const lastWords = (): string => lines.join('\n');
  child.once('error', reject);
  child.once('close', (code, signal) => reject(new Error(`${program} ended with ${signal ?? code}:\n${lastWords()}`)));
  endWithUs(child);
  return {
    pid: child.pid,
    lastWords,
    untilItEnds,
    signal: (signal) => void child.kill(signal),
    async kill() {
      await end(child, 'SIGKILL');
    },
    async [Symbol.asyncDispose]() {
      await end(child, 'SIGTERM');
    },
  };
}

/** Ends a program with SIGTERM, and with SIGKILL after two seconds. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
  await ended;
  clearTimeout(timer);
}
