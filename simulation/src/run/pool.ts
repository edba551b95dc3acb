/** Worker processes that run schedules in parallel. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Order, Report } from './worker.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

/**
 * Options of Node: most objects of a schedule live for a step or two, and it creates many errors whose stack traces are
 * never read.
 */
const FLAGS = ['--max-semi-space-size=64', '--stack-trace-limit=0'];

/** One worker. It runs one task at a time. */
export class Worker implements Disposable {
  readonly #child: ChildProcess;
  #said = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-4_000);
    });
  }

  /** @throws Error if it cannot start, for example because a mutant's text is no longer in the source */
  static async start(env: Readonly<Record<string, string>>): Promise<Worker> {
    const child = fork(WORKER, {
      env: { ...process.env, ...env },
      execArgv: FLAGS,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const worker = new Worker(child);
    await worker.#next();
    return worker;
  }

  ask(order: Order): Promise<Report> {
    const answer = this.#next();
    this.#child.send(order);
    return answer as Promise<Report>;
  }

  /** It exits by itself, so that it can clean up. */
  [Symbol.dispose](): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  async #next(): Promise<unknown> {
    const ended = new AbortController();
    const exit = once(this.#child, 'exit', { signal: ended.signal }).then(([code]) => {
      throw new Error(`a worker ended with code ${code}: ${this.#said}`);
    });
    exit.catch(() => undefined);
    try {
      const [message] = (await Promise.race([
        once(this.#child, 'message', { signal: ended.signal }),
        exit,
      ])) as unknown[];
      return message;
    } finally {
      ended.abort();
    }
  }
}
