/** A program with a monitored event loop. Ends with this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Milliseconds, including 1 ms of the monitor's own interval. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

type Line = Readonly<Record<string, unknown>>;

const WATCH = new URL('./loop-watch.ts', import.meta.url).href;

export class Watched implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #waiting = new Set<{ readonly key: string; readonly resolve: (line: Line) => void }>();

  constructor(program: URL, args: readonly string[] = []) {
    this.#child = spawn(process.execPath, ['--import', WATCH, fileURLToPath(program), ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#ended = once(this.#child, 'exit');
    if (this.#child.stdout === null) throw new Error('a program without standard output');
    createInterface({ input: this.#child.stdout }).on('line', (text) => this.#heard(text));
  }

  /** Resolves with the next log line that has this field or this message. */
  line(key: string): Promise<Line> {
    const found = new Promise<Line>((resolve) => this.#waiting.add({ key, resolve }));
    const gone = this.#ended.then(() => {
      throw new Error(`the program ended before it said ${key}`);
    });
    return Promise.race([found, gone]);
  }

  /** Event-loop delay since the last call. */
  async loopDelay(): Promise<LoopDelay> {
    const line = this.line('loopDelay');
    this.#child.kill('SIGUSR2');
    return (await line)['loopDelay'] as LoopDelay;
  }

  #heard(text: string): void {
    if (!text.startsWith('{')) return;
    const line = JSON.parse(text) as Line;
    for (const waiting of this.#waiting) {
      if (!(waiting.key in line) && line['msg'] !== waiting.key) continue;
      this.#waiting.delete(waiting);
      waiting.resolve(line);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
