/** Runs one test file in a process of its own and judges it. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEvents } from './events.ts';
import type { Lane } from './lane.ts';
import { groupEnds, killGroup, spawnGroup } from './process-group.ts';
import { type Ending, judge, type Verdict } from './verdict.ts';

const HOST = fileURLToPath(new URL('host.ts', import.meta.url));
const KEPT_OUTPUT_CHARACTERS = 200_000;

export interface FileResult extends Verdict {
  /** From the root of the checkout. */
  readonly file: string;
  readonly output: string;
  readonly milliseconds: number;
  /** How many failed when it ran the first time; set where this is its second run. */
  readonly failedFirst?: number;
}

/** How long things may take, in milliseconds. */
export interface Limits {
  /** The file and all it started are killed after this. */
  readonly deadline: number;
  /** How long the process may go on after its tests, for sockets that close and workers that stop. */
  readonly linger: number;
  /** How long processes that the test has told to end may take to be gone, once its own process has ended. */
  readonly leftover: number;
}

export const DEFAULT_LIMITS: Limits = { deadline: 300_000, linger: 5_000, leftover: 2_000 };

/** Runs one file in one lane. */
export async function runFile(root: string, lane: Lane, file: string, limits: Limits): Promise<FileResult> {
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'meshrelay-test-'));
  try {
    const record = join(folder, 'events.jsonl');
    writeFileSync(record, '');
    const [command, ...args] = lane.command;
    const lifetime = String(limits.deadline + 10_000);
    const child = spawnGroup(command, [...args, HOST, join(root, file), record, String(limits.linger), lifetime], root);
    const ending = await endOf(child, limits);
    const verdict = judge(parseEvents(readFileSync(record, 'utf8')), ending);
    return { ...verdict, file, output: ending.output, milliseconds: performance.now() - start };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function endOf(child: ChildProcess, limits: Limits): Promise<Ending> {
  const output = collectOutput(child);
  const exited = new Promise<Pick<Ending, 'code' | 'signal'>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code: code ?? undefined, signal: signal ?? undefined }));
  });
  const pid = await started(child);
  let missed = false;
  const timer = setTimeout(() => {
    missed = true;
    killGroup(pid);
  }, limits.deadline);
  const end = await exited.finally(() => clearTimeout(timer));
  const leftProcesses = !missed && !(await groupEnds(pid, limits.leftover));
  if (leftProcesses) killGroup(pid);
  return { ...end, ...(missed ? { missedDeadline: limits.deadline } : {}), leftProcesses, output: await output };
}

async function started(child: ChildProcess): Promise<number> {
  await new Promise<void>((spawned, failed) => {
    child.once('spawn', spawned);
    child.once('error', (cause) => {
      failed(new Error(`cannot start ${child.spawnfile}: ${cause.message}; run the tests by npm test`, { cause }));
    });
  });
  return child.pid as number;
}

/** Everything a process writes, the middle left out when it is very much. */
async function collectOutput(child: ChildProcess): Promise<string> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.length > 2 * KEPT_OUTPUT_CHARACTERS) text = shortened(text);
    });
  }
  await new Promise((closed) => child.once('close', closed));
  return text;
}

function shortened(text: string): string {
  const half = KEPT_OUTPUT_CHARACTERS / 2;
  return `${text.slice(0, half)}\n... ${text.length - 2 * half} characters left out ...\n${text.slice(-half)}`;
}
