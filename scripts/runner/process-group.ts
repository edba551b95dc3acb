/** Processes that are ended together with everything they started. */
import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const running = new Set<number>();

/** Starts a command as the leader of a process group, without input, its output piped. */
export function spawnGroup(command: string, args: readonly string[], cwd: string): ChildProcess {
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const { pid } = child;
  if (pid !== undefined) {
    running.add(pid);
    child.once('exit', () => running.delete(pid));
  }
  return child;
}

/** Kills every process of a group; does nothing when there is none left. */
export function killGroup(pid: number): void {
  signalGroup(pid, 'SIGKILL');
}

/** Waits until a group whose leader has ended is empty. False when some of it still runs after `patience` milliseconds. */
export async function groupEnds(pid: number, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (signalGroup(pid, 0)) {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}

/** Makes the groups end with this process, however it is asked to end. */
export function endGroupsWithThisProcess(): void {
  process.on('exit', () => {
    for (const pid of running) killGroup(pid);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const pid of running) killGroup(pid);
      process.kill(process.pid, signal);
    });
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
