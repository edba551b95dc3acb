/** Restarts a program that ends by itself, as a kubelet restarts a pod's containers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine, Program } from '@meshrelay/local-fleet';

/** Milliseconds before the restart: doubles each time, until the program has run for a while. */
const PAUSE = { first: 1_000, longest: 16_000 };
const STABLE = 60_000;

/** Keeps the program running from construction until disposal, which ends it. */
export class RestartingProgram implements AsyncDisposable {
  readonly name: string;
  readonly #again: (ended: Program) => Program;
  readonly #announce: (text: string) => void;
  readonly #stop = new AbortController();
  readonly #keeping: Promise<void>;
  #program: Program;

  /**
   * @param again starts the same program once more
   * @param announce prints its events for the user
   */
  constructor(program: Program, again: (ended: Program) => Program, announce: (text: string) => void) {
    this.name = program.name;
    this.#program = program;
    this.#again = again;
    this.#announce = announce;
    this.#keeping = this.#keep();
  }

  /** Of the running process, or of the last one. */
  get pid(): number {
    return this.#program.pid;
  }

  get running(): boolean {
    return this.#program.running;
  }

  /** Like {@link Program}: of the running process, or of the last one. */
  logged(message: string): LogLine | undefined {
    return this.#program.lines().find((line) => line['msg'] === message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#program[Symbol.asyncDispose]();
    await this.#keeping;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#stop;
    let pause = PAUSE.first;
    for (;;) {
      const begun = performance.now();
      await this.#program.ended();
      if (performance.now() - begun > STABLE) pause = PAUSE.first;
      if (!(await waited(pause, signal))) return;
      const ended = this.#program;
      this.#program = this.#again(ended);
      this.#announce(`${this.name} (process ${ended.pid}) had ended, and is started again as process ${this.pid}`);
      pause = Math.min(pause * 2, PAUSE.longest);
    }
  }
}

/** Whether an end has not been requested meanwhile. */
async function waited(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return !signal.aborted;
}
