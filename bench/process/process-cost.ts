/** Memory and CPU of another process, from Linux's /proc. */
import { readFileSync } from 'node:fs';

/** Linux reports CPU in ticks of 10 ms on every architecture that Node supports. */
const MS_PER_TICK = 10;

/** Resident memory, in MiB. */
export function residentMiB(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1]) / 1024;
}

/** CPU since its start, in milliseconds, all threads included. */
export function cpuMsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Fields 14 and 15, counted from the name of the program, which may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
