/**
 * A process that runs test files, one after the other, and records events. Runs in Node and in Deno.
 *
 * `beforeExit` fires when a file has left nothing in the event loop. If its tests have ended, the worker waits for the
 * next file in a blocking read. If not, a test waits for something that cannot happen, and the process ends as any
 * other would.
 */
import { Buffer } from 'node:buffer';
import { appendFileSync, readSync } from 'node:fs';
import process from 'node:process';
import { setImmediate, setTimeout } from 'node:timers';
import { pathToFileURL } from 'node:url';
import { OBSERVER, type TestObserver } from '@meshrelay/testing/observer';
import { cpuSeconds } from './cpu-time.ts';
import { END_OF_FILE, type RunFileRequest, type TestEvent } from './events.ts';
import { changesSince, type ProcessState, processState } from './process-state.ts';

/** uvu's queue: a suite that called `run()` is in it as a function that returns errors, passed, skipped, total. */
type QueuedSuite = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;

interface RunningFile extends RunFileRequest {
  readonly before: ProcessState;
  readonly cpuBefore: number;
  hasEnded: boolean;
}

const STDIN_POLL_MS = 2;
const root = process.cwd();
/** Captured before any test can replace them. */
const writers = [process.stdout, process.stderr].map((stream) => stream.write.bind(stream));
let running: RunningFile | undefined;

const observer: TestObserver = {
  registered: (name, only) => record({ event: 'registered', name, only }),
  started: (name) => record({ event: 'started', name }),
  failed: (name, error) => record({ event: 'failed', name, ...describeFailure(error) }),
};
Object.assign(globalThis, { [OBSERVER]: observer, UVU_DEFER: 1, UVU_INDEX: 0 });

process.on('beforeExit', () => {
  if (running?.hasEnded) becomeIdle(running);
  if (running === undefined) runNext();
});

/** Waits for a request and begins it; without another request, the process ends. */
function runNext(): void {
  const line = readLine();
  if (line === '') return;
  // Uses the event loop; otherwise a file that only computes would end without another `beforeExit`.
  // A rejection of `run` ends this process, which the runner notices.
  setImmediate(() => void run(JSON.parse(line) as RunFileRequest));
}

/** The next line of stdin; an empty one at the end of the stream. The runner writes a line only on request. */
function readLine(): string {
  const chunk = Buffer.alloc(4096);
  let line = '';
  while (!line.endsWith('\n')) {
    const length = readStdin(chunk);
    if (length === 0) return '';
    line += chunk.toString('utf8', 0, length);
  }
  return line;
}

/**
 * Blocks until there is something to read. A library may have made stdin non-blocking, as Node does on first access.
 */
function readStdin(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk, 0, chunk.length, null);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STDIN_POLL_MS);
    }
  }
}

async function run(request: RunFileRequest): Promise<void> {
  const queue: QueuedSuite[] = [];
  Object.assign(globalThis, { UVU_QUEUE: [queue] });
  const file: RunningFile = { ...request, before: processState(), cpuBefore: cpuSeconds(), hasEnded: false };
  running = file;
  await import(pathToFileURL(request.file).href);
  for (const suite of queue) {
    const [errors, passed, skipped, total] = await suite();
    if (errors !== true) console.log(errors);
    record({ event: 'suite', passed, skipped, total });
  }
  for (const what of changesSince(file.before)) record({ event: 'changed', what });
  record({ event: 'ended' });
  file.hasEnded = true;
  setTimeout(() => {
    if (running === file) endLingering();
  }, request.linger).unref();
}

function becomeIdle({ cpuBefore }: RunningFile): void {
  record({ event: 'idle', cpuSeconds: cpuSeconds() - cpuBefore, residentBytes: process.memoryUsage.rss() });
  running = undefined;
  for (const write of writers) write(END_OF_FILE);
}

function endLingering(): void {
  record({ event: 'lingered', open: process.getActiveResourcesInfo?.() ?? [] });
  process.exit(1);
}

function record(event: TestEvent): void {
  if (running) appendFileSync(running.record, `${JSON.stringify(event)}\n`);
}

function describeFailure(error: unknown): { message: string; at?: string } {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const lines = stack.split('\n').map((line) => /\(?(?:file:\/\/)?(\/[^()]+?:\d+):\d+\)?$/.exec(line)?.[1] ?? '');
  const at =
    lines.find((line) => line.startsWith(`${running?.file}:`)) ?? lines.find((line) => line.includes('/test/'));
  const [firstLine = ''] = message.split('\n');
  return { message: firstLine, ...(at === undefined ? {} : { at: at.replace(`${root}/`, '') }) };
}
