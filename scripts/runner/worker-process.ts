/** The runner's side of a worker: starts it, makes it run files, evaluates them, ends it. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { evaluateRun, type FileSummary, type RunEnd } from './evaluate.ts';
import { END_OF_FILE, parseEvents, type RunFileRequest } from './events.ts';
import type { Lane } from './lane.ts';
import { isLeaderAlone, killGroup, spawnGroup } from './process-group.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const MAX_OUTPUT_CHARACTERS = 400_000;
/** A worker that uses more memory gets no further file. */
const MAX_RESIDENT_BYTES = 1.5 * 2 ** 30;

export interface FileResult extends FileSummary {
  /** From the root of the checkout. */
  readonly file: string;
  readonly lane: string;
  readonly output: string;
  readonly milliseconds: number;
}

/** Time limits in milliseconds. */
export interface Limits {
  /** The file and all processes it started are killed after this. */
  readonly deadline: number;
  /** How long the event loop may stay busy after the tests, for sockets that close and workers that stop. */
  readonly linger: number;
  /** How long processes may take to exit after a file has ended them. */
  readonly leftover: number;
}

export const DEFAULT_LIMITS: Limits = { deadline: 300_000, linger: 5_000, leftover: 2_000 };

/** A running worker of one lane. */
export class WorkerProcess implements Disposable {
  readonly lane: Lane;
  readonly #root: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<NonNullable<RunEnd['exit']>>;
  #isUsable = true;

  private constructor(root: string, lane: Lane, child: ChildProcess) {
    this.#root = root;
    this.lane = lane;
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      // 'close' and not 'exit': by then all output has been read
      child.once('close', (code, signal) => resolve({ code: code ?? undefined, signal: signal ?? undefined }));
    });
    child.stdin?.on('error', () => {}); // it has ended: `#exited` reports that
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').resume();
  }

  /** @throws Error naming the runtime that cannot be started */
  static async start(root: string, lane: Lane): Promise<WorkerProcess> {
    const [command, ...args] = lane.command;
    const child = spawnGroup(command, [...args, WORKER], root);
    const worker = new WorkerProcess(root, lane, child);
    await new Promise<void>((spawned, failed) => {
      child.once('spawn', spawned);
      child.once('error', (cause) => {
        failed(new Error(`cannot start ${command}: ${cause.message}; run the tests by npm test`, { cause }));
      });
    });
    return worker;
  }

  /** Whether it can run another file: all previous ones ended correctly. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Runs one file, whatever its result. */
  async run(file: string, limits: Limits): Promise<FileResult> {
    const start = performance.now();
    const folder = mkdtempSync(join(tmpdir(), 'meshrelay-test-'));
    try {
      const record = join(folder, 'events.jsonl');
      writeFileSync(record, '');
      const end = await this.#runToEnd({ file: join(this.#root, file), record, linger: limits.linger }, limits);
      const events = parseEvents(readFileSync(record, 'utf8'));
      const summary = evaluateRun(events, end);
      const idle = events.find((event) => event.event === 'idle');
      this.#isUsable &&= summary.problems.length === 0 && (idle?.residentBytes ?? 0) < MAX_RESIDENT_BYTES;
      const milliseconds = performance.now() - start;
      return { ...summary, file, lane: this.lane.name, output: end.output, milliseconds };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Ends the worker and waits for its end. */
  async end(): Promise<void> {
    this.#child.stdin?.end();
    if (!this.#isUsable) this[Symbol.dispose]();
    await this.#exited;
  }

  [Symbol.dispose](): void {
    killGroup(this.#pid);
  }

  get #pid(): number {
    return this.#child.pid as number;
  }

  async #runToEnd(request: RunFileRequest, { deadline, leftover }: Limits): Promise<RunEnd> {
    const streams = [this.#child.stdout, this.#child.stderr].map((stream) => new FileOutput(stream));
    let missedDeadline: number | undefined;
    const timer = setTimeout(() => {
      missedDeadline = deadline;
      killGroup(this.#pid);
    }, deadline);
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
    const exit = await Promise.race([
      Promise.all(streams.map(({ ended }) => ended)).then(() => undefined),
      this.#exited,
    ]);
    clearTimeout(timer);
    const leftProcesses = missedDeadline === undefined && !(await isLeaderAlone(this.#pid, leftover));
    if (leftProcesses) killGroup(this.#pid);
    if (exit !== undefined) this.#isUsable = false;
    return {
      ...(exit === undefined ? {} : { exit }),
      ...(missedDeadline === undefined ? {} : { missedDeadline }),
      leftProcesses,
      output: streams.map((stream) => stream.finish()).join(''),
    };
  }
}

/** Reads the output of a file on one stream, without the middle if it is very long. */
class FileOutput {
  /** Resolves when the worker has marked the end of the file's output. */
  readonly ended: Promise<void>;
  readonly #stream: NodeJS.ReadableStream | null;
  readonly #read: (chunk: string) => void;
  #text = '';

  constructor(stream: NodeJS.ReadableStream | null) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#stream = stream;
    this.#read = (chunk) => {
      this.#text += chunk;
      if (this.#text.endsWith(END_OF_FILE)) resolve();
      else if (this.#text.length > MAX_OUTPUT_CHARACTERS) this.#text = withoutMiddle(this.#text);
    };
    stream?.on('data', this.#read);
  }

  /** Stops reading and returns the text. */
  finish(): string {
    this.#stream?.off('data', this.#read);
    return this.#text.endsWith(END_OF_FILE) ? this.#text.slice(0, -END_OF_FILE.length) : this.#text;
  }
}

function withoutMiddle(text: string): string {
  const half = MAX_OUTPUT_CHARACTERS / 4;
  return `${text.slice(0, half)}\n... ${text.length - 2 * half} characters left out ...\n${text.slice(-half)}`;
}
