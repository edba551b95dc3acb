/** Runs the files of one lane, a few at a time. */
import type { Lane } from './lane.ts';
import { type FileResult, type Limits, runFile } from './run-file.ts';

export interface LaneOptions {
  readonly root: string;
  /** How many files run at once. */
  readonly jobs: number;
  readonly limits: Limits;
  /** Called as each file ends. */
  readonly ended: (result: FileResult) => void;
}

/** Resolves with all results, in the order of the files. */
export async function runLane(lane: Lane, files: readonly string[], options: LaneOptions): Promise<FileResult[]> {
  const results: FileResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < files.length) {
      const index = next++;
      const result = await runFile(options.root, lane, files[index] as string, options.limits);
      results[index] = result;
      options.ended(result);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return results;
}
