/** A timer of a simulated process, with the interface of Node's own. */
import type { Scheduler } from './scheduler.ts';
import type { SimProcess } from './sim-process.ts';
import type { Task } from './task-queue.ts';

export class SimTimer implements Disposable {
  readonly #scheduler: Scheduler;
  readonly #process: SimProcess;
  readonly #delay: number;
  readonly #repeats: boolean;
  readonly #run: () => void;
  #task: Task<SimProcess>;

  constructor(scheduler: Scheduler, process: SimProcess, delay: number, repeats: boolean, run: () => void) {
    this.#scheduler = scheduler;
    this.#process = process;
    this.#delay = delay;
    this.#repeats = repeats;
    this.#run = run;
    this.#task = this.#schedule();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.#task.cancelled = true;
    this.#task = this.#schedule();
    return this;
  }

  close(): this {
    this.#task.cancelled = true;
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #schedule(): Task<SimProcess> {
    const fire = (): void => {
      if (this.#repeats) this.#task = this.#schedule();
      this.#run();
    };
    return this.#scheduler.timer(this.#delay, this.#process, fire);
  }
}

/** A promise that a timer resolves with the value and an abort rejects, as Node's own do. */
export function abortable(
  signal: AbortSignal | undefined,
  value: unknown,
  start: (wake: () => void) => Disposable,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      timer?.[Symbol.dispose]();
      const error = new Error('The operation was aborted', { cause: signal?.reason });
      reject(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }));
    };
    let timer: Disposable | undefined;
    if (signal?.aborted) return aborted();
    timer = start(() => {
      signal?.removeEventListener('abort', aborted);
      resolve(value);
    });
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
