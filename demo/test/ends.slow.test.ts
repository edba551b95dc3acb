/** However the demo's main process ends, none of its processes remains. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { RunFolder } from '@meshrelay/local-fleet';
import { assert, eventually, test } from '@meshrelay/testing';
import type { Summary } from '../story/summary.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url));

interface Demo {
  readonly pid: number;
  /** The server, the agents, and Envoys if available. */
  readonly programs: readonly number[];
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>;
}

/** Starts the demo and waits until it has converged. */
async function startDemo(): Promise<Demo> {
  const child = spawn(process.execPath, [MAIN, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const { pid = 0 } = child;
  let envoys = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const summary = JSON.parse(line) as Summary;
    assert.ok(summary.converged, line);
    envoys = summary.traffic?.envoys ?? 0;
    break;
  }
  const programs = childrenOf(pid);
  assert.is(programs.length, 5 + envoys, `a server, four agents and ${envoys} Envoys`);
  assert.is(foldersOf(pid).length, 1, 'the demo has a folder');
  return { pid, programs, ended };
}

function childrenOf(parent: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? pid : []));
}

/** The folders of a demo; none once it has ended, or once another demo has removed them. */
function foldersOf(pid: number): string[] {
  return readdirSync(CACHE)
    .filter((name) => /^demo(-\d+-\w+)?$/.test(name) && ownerOf(join(CACHE, name)) === String(pid))
    .map((name) => join(CACHE, name));
}

/** Undefined for a folder that a demo in another test has just removed. */
function ownerOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends it in order, with no process left`, async () => {
    const demo = await startDemo();
    process.kill(demo.pid, signal);
    assert.equal(await demo.ended, [0, null]);
    assert.equal(demo.programs.filter(isRunning), []);
    assert.equal(foldersOf(demo.pid), []);
  });
}

test('SIGKILL ends its programs too, and the next demo removes its folder', async () => {
  const demo = await startDemo();
  process.kill(demo.pid, 'SIGKILL');
  await demo.ended;
  await eventually('its programs to end', () => demo.programs.every((pid) => !isRunning(pid)), {
    deadline: 120_000,
    seen: () => demo.programs.filter(isRunning),
  });
  using next = new RunFolder('demo');
  assert.equal(foldersOf(demo.pid), []);
  assert.ok(existsSync(next.path));
});

test.run();
