/** A program running beside the tests, ended with them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/** Lines of a program's output that are kept for its error messages. */
const RETAINED_LINES = 40;

/** A running program. */
export interface Child extends AsyncDisposable {
  readonly pid: number | undefined;
  /** The last lines of what it printed. */
  lastWords(): string;
  /** Rejects when the program ends, with what it ended with and its last words; never resolves. */
  readonly untilItEnds: Promise<never>;
  /** Sends a signal, such as SIGSTOP; does nothing once it has ended. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once, as a crash would, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Where and how a program runs. */
export interface ChildOptions {
  readonly cwd: string;
  /** Added to this process's environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a program; it is killed when this process ends, however that happens in an orderly way. */
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
  untilItEnds.catch(() => {}); // whoever waits for it hears of it; nobody need
  const lastWords = (): string => lines.join('\n');
  child.once('error', reject);
  child.once('close', (code, signal) => reject(new Error(`${program} ended with ${signal ?? code}:\n${lastWords()}`)));
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  return {
    pid: child.pid,
    lastWords,
    untilItEnds,
    signal: (signal) => void child.kill(signal),
    async kill() {
      process.off('exit', killWithUs);
      await end(child, 'SIGKILL');
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', killWithUs);
      await end(child, 'SIGTERM');
    },
  };
}

/** Asks a program to end, and makes it after two seconds. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
  await ended;
  clearTimeout(timer);
}
