/** The last duration of each file, so that the longest start first and no core idles at the end. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileRun } from './run-files.ts';
import type { FileResult } from './worker-process.ts';

export class Durations {
  readonly #path: string;
  /** Milliseconds by lane and file. */
  readonly #durations: Record<string, number>;

  constructor(root: string) {
    this.#path = join(root, '.cache', 'test-durations.json');
    this.#durations = read(this.#path);
  }

  /** The runs of each lane together, the longest first; unknown ones before all others. */
  longestFirst(runs: readonly FileRun[]): readonly FileRun[] {
    const laneOrder = [...new Set(runs.map(({ lane }) => lane))];
    const duration = ({ lane, file }: FileRun): number => this.#durations[keyOf(lane.name, file)] ?? Number.MAX_VALUE;
    return runs.toSorted((a, b) => laneOrder.indexOf(a.lane) - laneOrder.indexOf(b.lane) || duration(b) - duration(a));
  }

  /** Stores these durations. */
  keep(results: readonly FileResult[]): void {
    for (const { lane, file, milliseconds } of results) this.#durations[keyOf(lane, file)] = Math.round(milliseconds);
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, `${JSON.stringify(this.#durations)}\n`);
  }
}

function keyOf(lane: string, file: string): string {
  return `${lane} ${file}`;
}

function read(path: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {}; // the first run, or a truncated file: the order affects only the duration
  }
}
