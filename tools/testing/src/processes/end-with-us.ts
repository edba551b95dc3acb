/** Processes that must not outlive this one. */
import type { ChildProcess } from 'node:child_process';
import process from 'node:process';

const running = new Set<ChildProcess>();

/** Kills a process when this one exits. One listener serves all: Node warns of a leak from the eleventh on. */
export function endWithUs(child: ChildProcess): void {
  if (!process.listeners('exit').includes(killAll)) process.on('exit', killAll);
  running.add(child);
  child.once('exit', () => running.delete(child));
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
