/** Output while tests run. */
import type { FileRun } from './run-files.ts';
import { describeFailedFile } from './summary.ts';
import type { FileResult } from './worker-process.ts';

export interface Progress {
  began(run: FileRun): void;
  ended(result: FileResult): void;
  finish(): void;
}

/** One line on a terminal that is redrawn; failures are printed above it. */
export class TerminalProgress implements Progress {
  readonly #print: (line: string) => void;
  readonly #redraw: (text: string) => void;
  readonly #total: number;
  readonly #running = new Set<string>();
  #done = 0;
  #failed = 0;

  constructor(
    runs: readonly FileRun[],
    { print, redraw }: { print: (line: string) => void; redraw: (text: string) => void },
  ) {
    this.#total = runs.length;
    this.#print = print;
    this.#redraw = redraw;
  }

  began({ file, lane }: FileRun): void {
    this.#running.add(`${file} (${lane.name})`);
    this.#draw();
  }

  ended(result: FileResult): void {
    this.#running.delete(`${result.file} (${result.lane})`);
    this.#done++;
    this.#failed += result.failed;
    if (result.failed > 0) {
      this.#redraw('');
      this.#print(describeFailedFile(result));
    }
    this.#draw();
  }

  finish(): void {
    this.#redraw('');
  }

  #draw(): void {
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} failed`;
    this.#redraw(`${this.#done}/${this.#total} files${failed}: ${[...this.#running].join(', ')}`);
  }
}

/** A line for each package when its last file ends; failures as they occur. */
export class PackageProgress implements Progress {
  readonly #print: (line: string) => void;
  readonly #open = new Map<string, number>();
  readonly #results = new Map<string, FileResult[]>();

  constructor(runs: readonly FileRun[], print: (line: string) => void) {
    this.#print = print;
    for (const { file, lane } of runs) {
      const name = groupOf(file, lane.name);
      this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
      this.#results.set(name, []);
    }
  }

  began(): void {
    // it reports only ended files
  }

  ended(result: FileResult): void {
    if (result.failed > 0) this.#print(describeFailedFile(result));
    const name = groupOf(result.file, result.lane);
    const open = (this.#open.get(name) ?? 0) - 1;
    const results = this.#results.get(name) ?? [];
    this.#open.set(name, open);
    results.push(result);
    if (open === 0) this.#print(describeGroup(name, results));
  }

  finish(): void {
    // every group has printed its line
  }
}

function describeGroup(name: string, results: readonly FileResult[]): string {
  const sum = (of: 'passed' | 'failed' | 'skipped' | 'milliseconds'): number =>
    results.reduce((total, result) => total + result[of], 0);
  const counts = [
    `${sum('passed')} passed`,
    ...(sum('failed') > 0 ? [`${sum('failed')} FAILED`] : []),
    ...(sum('skipped') > 0 ? [`${sum('skipped')} skipped`] : []),
  ].join(', ');
  const files = `${results.length} ${results.length === 1 ? 'file' : 'files'}`;
  return `  ${name}: ${counts} (${files}, ${(sum('milliseconds') / 1000).toFixed(1)} s)`;
}

/** `packages/pki (node)`: the folder above `test`, or the first one. */
function groupOf(file: string, lane: string): string {
  const folder = file.includes('/test/') ? file.slice(0, file.indexOf('/test/')) : (file.split('/')[0] ?? file);
  return `${folder} (${lane})`;
}
