/** Runs several test files concurrently, each in a worker of its lane. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lane } from './lane.ts';
import { type FileResult, type Limits, WorkerProcess } from './worker-process.ts';

/** A file to run in a lane. */
export interface FileRun {
  readonly lane: Lane;
  /** Path relative to the root of the repository. */
  readonly file: string;
}

export interface RunOptions {
  readonly root: string;
  /** Number of files that run at the same time. */
  readonly jobs: number;
  readonly limits: Limits;
  /** Called as a file begins. */
  readonly began?: (run: FileRun) => void;
  /** Called as each file ends. */
  readonly ended: (result: FileResult) => void;
}

/** Matches the first line of a file that cannot share a process with other files; the line also names the reason. */
const OWN_PROCESS = /\bown process: \S+/i;

/** Resolves with all results, in the order of the runs. */
export async function runFiles(runs: readonly FileRun[], options: RunOptions): Promise<FileResult[]> {
  const results: FileResult[] = [];
  let next = 0;
  const runUntilNoneIsLeft = async (): Promise<void> => {
    const worker = new CurrentWorker(options.root);
    try {
      while (next < runs.length) {
        const index = next++;
        const run = runs[index] as FileRun;
        options.began?.(run);
        const result = await worker.run(run, options.limits);
        results[index] = result;
        options.ended(result);
      }
    } finally {
      await worker.end();
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, runUntilNoneIsLeft));
  return results;
}

/**
 * Runs files one after the other in a worker. Starts another worker if the next file is of another lane, or if the
 * current worker is no longer usable.
 */
class CurrentWorker {
  readonly #root: string;
  #worker: WorkerProcess | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  async run({ lane, file }: FileRun, limits: Limits): Promise<FileResult> {
    if (needsOwnProcess(join(this.#root, file))) {
      const own = await WorkerProcess.start(this.#root, lane);
      return own.run(file, limits).finally(() => own.end());
    }
    if (this.#worker?.lane !== lane || !this.#worker.isUsable) await this.end();
    this.#worker ??= await WorkerProcess.start(this.#root, lane);
    return this.#worker.run(file, limits);
  }

  async end(): Promise<void> {
    await this.#worker?.end();
    this.#worker = undefined;
  }
}

function needsOwnProcess(path: string): boolean {
  const text = readFileSync(path, 'utf8');
  return OWN_PROCESS.test(text.slice(0, text.indexOf('\n') + 1));
}
