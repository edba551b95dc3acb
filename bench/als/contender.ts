/**
 * A measured server, in a separate process that exits when its standard input closes, and so with this process. Linux
 * only: CPU and memory are read from /proc.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { residentMiB } from '../process/process-cost.ts';

export class Contender {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly port: number;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>, port: number) {
    this.#child = child;
    this.#lines = lines;
    this.port = port;
  }

  /** Resolves when it has printed its port. */
  static async start(
    [program, ...args]: readonly [string, ...string[]],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Contender> {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const port = Number((await lines.next()).value);
    if (!Number.isInteger(port)) throw new Error(`${program} did not say its port`);
    return new Contender(child, lines, port);
  }

  /** CPU of all its threads so far, in milliseconds. */
  cpuMs(): number {
    const tasks = `/proc/${this.#child.pid}/task`;
    let nanoseconds = 0;
    for (const task of readdirSync(tasks)) {
      try {
        nanoseconds += Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
      } catch (error) {
        // A thread that has just ended: its CPU is lost, which is little and in the server's favour.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && (error as NodeJS.ErrnoException).code !== 'ESRCH')
          throw error;
      }
    }
    return nanoseconds / 1e6;
  }

  /** Its resident memory, in MiB. */
  residentMiB(): number {
    return residentMiB(this.#child.pid as number);
  }

  /** Ends it. @returns the last line that it prints */
  async end<Counts>(): Promise<Counts> {
    this.#child.kill('SIGTERM');
    const { value } = await this.#lines.next();
    return JSON.parse(String(value)) as Counts;
  }
}
