/**
 * What the demo takes: `npm run exec -- node demo/measure.ts [--runs N]`. Runs it from its start to its end, one after the
 * other, and prints a line of JSON for each run and one for all. Memory is the summed PSS of all its processes, at its highest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Summary } from './story/summary.ts';

interface Run {
  readonly converged: boolean;
  readonly seconds: number;
  readonly secondsToConverge: number | undefined;
  /** The highest seen, and that of the fleet at rest. */
  readonly peakMegabytes: number;
  readonly restMegabytes: number;
  readonly processes: number;
  /** From SIGTERM to the end of everything. */
  readonly secondsToEnd: number;
  readonly reason?: string;
}

const SAMPLE_MS = 250;
/** How long the fleet is watched after it converged. */
const REST_MS = 3000;

async function measure(): Promise<Run> {
  const demo = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = demo.pid ?? 0;
  let peak = 0;
  let last = { megabytes: 0, processes: 0 };
  const sample = (): void => {
    last = memoryOf(family(pid));
    peak = Math.max(peak, last.megabytes);
  };
  const sampler = setInterval(sample, SAMPLE_MS);
  const exited = once(demo, 'exit');
  const summary = await summaryOf(demo.stdout);
  if (summary.converged) await new Promise((resolve) => setTimeout(resolve, REST_MS));
  sample();
  clearInterval(sampler);
  const rest = last;
  const ending = performance.now();
  demo.kill('SIGTERM');
  await exited;
  return {
    converged: summary.converged,
    seconds: summary.seconds,
    secondsToConverge: summary.secondsToConverge,
    peakMegabytes: Math.round(peak),
    restMegabytes: Math.round(rest.megabytes),
    processes: rest.processes,
    secondsToEnd: Math.round((performance.now() - ending) / 100) / 10,
    ...(summary.reason === undefined ? {} : { reason: summary.reason }),
  };
}

async function summaryOf(output: NodeJS.ReadableStream): Promise<Summary> {
  for await (const line of createInterface({ input: output })) return JSON.parse(line) as Summary;
  throw new Error('the demo ended without a summary');
}

/** A process and all that it started, as far as they run. Linux only. */
function family(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync('/proc').map(Number)) {
    const parent = Number.isInteger(pid) ? parentOf(pid) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

function parentOf(pid: number): number | undefined {
  // After the name, which may hold anything and ends with the last bracket: state, parent.
  const stat = ofProcess(pid, 'stat');
  const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? undefined : Number(parent);
}

function memoryOf(pids: readonly number[]): { megabytes: number; processes: number } {
  const kilobytes = pids.flatMap((pid) => {
    const [, pss] = /^Pss:\s+(\d+) kB/m.exec(ofProcess(pid, 'smaps_rollup') ?? '') ?? [];
    return pss === undefined ? [] : [Number(pss)];
  });
  return { megabytes: kilobytes.reduce((sum, one) => sum + one, 0) / 1024, processes: kilobytes.length };
}

/** Undefined where the process has ended. */
function ofProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

const { runs: count } = parseArgs({ options: { runs: { type: 'string', default: '1' } } }).values;
const runs: Run[] = [];
for (let run = 0; run < Number(count); run += 1) {
  const measured = await measure();
  runs.push(measured);
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}
const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const seconds = sorted(runs.map((run) => run.seconds));
process.stdout.write(
  `${JSON.stringify({
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    node: process.version,
    runs: runs.length,
    converged: runs.filter((run) => run.converged).length,
    medianSeconds: seconds[Math.floor(seconds.length / 2)],
    maxSeconds: seconds.at(-1),
    maxPeakMegabytes: Math.max(...runs.map((run) => run.peakMegabytes)),
  })}\n`,
);
if (runs.some((run) => !run.converged)) process.exitCode = 1;
