/** CPU time of this process and of the processes that it has started and waited for. */
import { readFileSync } from 'node:fs';
import process from 'node:process';

/** The unit of `/proc/PID/stat`, which Linux fixes for its interface to programs. */
const TICKS_PER_SECOND = 100;
/** Places of `cutime` and `cstime` after the name of the program, which may contain spaces. */
const USER_OF_CHILDREN = 13;

/** Seconds. Without Linux's `/proc`, of this process alone. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + cpuSecondsOfChildren(statOfThisProcess());
}

/** Seconds of the ended children, by the text of a `/proc/PID/stat`. */
export function cpuSecondsOfChildren(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = fields.slice(USER_OF_CHILDREN, USER_OF_CHILDREN + 2).map(Number);
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND;
}

function statOfThisProcess(): string {
  try {
    return readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return '';
  }
}
