/** One process builds at a time: the others need the same build, and find it when their turn comes. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const FILE = 'building.pid';
const POLL_MS = 20;
/** Longest wait for another process. Afterwards two may build the same, which costs only time. */
const LONGEST_MS = 60_000;

/** Waits until no other process builds in a folder, then claims it until it is disposed. */
export function buildTurn(folder: string): Disposable {
  const file = join(folder, FILE);
  const end = performance.now() + LONGEST_MS;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!claim(file)) {
    if (!isRunning(file) || performance.now() > end) rmSync(file, { force: true });
    else Atomics.wait(pause, 0, 0, POLL_MS);
  }
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

function claim(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the process that claimed the folder runs. One that just begins has not written its ID yet. */
function isRunning(file: string): boolean {
  try {
    const pid = readFileSync(file, 'utf8');
    if (pid !== '') process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
