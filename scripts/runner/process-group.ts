/** Processes that are ended together with all their descendants. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** By the process ID of their leader: their temporary folders. */
const running = new Map<number, string>();

/**
 * Starts a command as the leader of a process group, all its streams piped. The group has a temporary folder of its
 * own, which is deleted with it: a killed test cannot delete what it has created there.
 */
export function spawnGroup(command: string, args: readonly string[], cwd: string): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'meshrelay-tests-'));
  const child = spawn(command, args, { cwd, detached: true, stdio: 'pipe', env: { ...process.env, TMPDIR: folder } });
  const { pid } = child;
  if (pid === undefined) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    return child;
  }
  running.set(pid, folder);
  child.once('exit', () => {
    running.delete(pid);
    killGroup(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return child;
}

/** Kills every process of a group; does nothing if none is left. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Waits until only the leader of a group is left. False if other processes still run after `timeoutMs` milliseconds.
 */
export async function isLeaderAlone(leader: number, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (groupMembers(leader).some((pid) => pid !== leader)) {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}

/** Ends the groups when this process ends by any signal. */
export function endGroupsWithThisProcess(): void {
  process.on('exit', endAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      endAll();
      process.kill(process.pid, signal);
    });
  }
}

function endAll(): void {
  for (const [pid, folder] of running) {
    killGroup(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The processes of a group, without zombies. */
function groupMembers(leader: number): number[] {
  return processTable()
    .filter(({ group, state }) => group === leader && !state.startsWith('Z'))
    .map(({ pid }) => pid);
}

interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly state: string;
}

function processTable(): ProcessEntry[] {
  if (existsSync('/proc/self/stat')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcEntry);
  }
  return execFileSync('ps', ['-A', '-o', 'pid=,pgid=,state='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, group, state = ''] = line.trim().split(/\s+/);
      return { pid: Number(pid), group: Number(group), state };
    });
}

/**
 * Linux, proc(5): `pid (name) state parent group ...`; the name may contain any character. Empty if the process has
 * just ended.
 */
function readProcEntry(pid: string): ProcessEntry[] {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return [];
  }
  const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [{ pid: Number(pid), group: Number(group), state }];
}
