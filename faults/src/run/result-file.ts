/**
 * The measurements of a run so far, in a file that is rewritten after each step, so an interrupted run still has
 * results.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import process from 'node:process';
import { document, type Run } from './report.ts';

export class ResultFile {
  readonly #file: string | undefined;
  readonly #command: string;
  readonly #loadBefore: number | undefined = loadavg()[0];

  /** @param file nothing is written if it is undefined */
  constructor(file: string | undefined, argv: readonly string[]) {
    this.#file = file;
    const script = argv.includes('--soak') ? 'npm run soak' : 'npm run test:faults';
    const rest = argv.filter((each) => each !== '--soak');
    this.#command = rest.length === 0 ? script : `${script} -- ${rest.join(' ')}`;
  }

  keep(run: Omit<Run, 'host'>): void {
    if (this.#file === undefined) return;
    // Times are recorded with the machine's other load.
    const host = {
      node: process.version,
      cores: cpus().length,
      cpu: cpus()[0]?.model,
      loadAverage: { before: this.#loadBefore, now: loadavg()[0] },
    };
    writeFileSync(this.#file, `${JSON.stringify(document(this.#command, { ...run, host }), undefined, 2)}\n`);
  }
}
