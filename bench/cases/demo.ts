/** Cost of the demo from its start until its fleet has converged, in seconds and in memory of all its processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface DemoResult {
  /** From the start of the program. */
  readonly seconds: number;
  /** From the first policy to the last applied object. */
  readonly secondsToConverge: number;
  /** Maximum of the summed PSS of all processes; undefined without /proc. */
  readonly peakPssMiB: number | undefined;
  /** From SIGTERM until all processes have ended. */
  readonly secondsToEnd: number;
}

/** The fields of the demo's summary that are used. */
interface Summary {
  readonly converged: boolean;
  readonly seconds: number;
  readonly secondsToConverge?: number;
  readonly reason?: string;
}

const DEMO = fileURLToPath(new URL('../../demo/main.ts', import.meta.url));
const SAMPLE_MS = 250;
/** Milliseconds for which the fleet is watched after it converged. */
const REST_MS = 3000;

/** @throws Error with the demo's own reason if it does not converge */
export async function demo(): Promise<DemoResult> {
  const child = spawn(process.execPath, [DEMO, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const memory = new MemoryWatch(child);
  try {
    const { converged, reason, seconds, secondsToConverge = 0 } = await summaryOf(child);
    if (!converged) throw new Error(`the demo did not converge: ${reason}`);
    await sleep(REST_MS);
    const peakPssMiB = memory.stop();
    const ending = performance.now();
    child.kill('SIGTERM');
    await ended;
    return { seconds, secondsToConverge, peakPssMiB, secondsToEnd: (performance.now() - ending) / 1000 };
  } finally {
    memory.stop();
    child.kill('SIGTERM');
  }
}

async function summaryOf({ stdout }: ChildProcess): Promise<Summary> {
  if (stdout !== null) for await (const line of createInterface({ input: stdout })) return JSON.parse(line) as Summary;
  throw new Error('the demo ended without a summary');
}

/** Sums the memory of a process and all its descendants, repeatedly. */
class MemoryWatch {
  readonly #root: number;
  readonly #timer: NodeJS.Timeout;
  #peakKiB = 0;

  constructor({ pid }: ChildProcess) {
    this.#root = pid ?? 0;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  /** @returns the highest sum in MiB */
  stop(): number | undefined {
    clearInterval(this.#timer);
    return this.#peakKiB === 0 ? undefined : this.#peakKiB / 1024;
  }

  #sample(): void {
    if (process.platform !== 'linux') return;
    const sum = family(this.#root).reduce((total, pid) => total + pssKiB(pid), 0);
    this.#peakKiB = Math.max(this.#peakKiB, sum);
  }
}

/** A process and all its running descendants. */
function family(root: number): number[] {
  const children = Map.groupBy(readdirSync('/proc').map(Number).filter(Number.isInteger), parentOf);
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** 0 if the process has ended. */
function parentOf(pid: number): number {
  // The name before the last bracket may contain any character; the state and the parent follow it.
  const stat = ofProcess(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Its private memory, and its share of shared memory. */
function pssKiB(pid: number): number {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(ofProcess(pid, 'smaps_rollup')) ?? [];
  return Number(kilobytes ?? 0);
}

/** Empty if the process has ended. */
function ofProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
