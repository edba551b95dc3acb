/** What the load must keep to. */
import type { LoadResult } from '../load/load.ts';
import { seconds } from './times.ts';

/** Milliseconds in which every agent is back when all servers were killed at once: F48. */
const HERD = 30_000;
/** Bytes a server may hold. */
const MEMORY = 2 * 1024 ** 3;

/** What was violated, as sentences. `slack` is how much longer than promised anything may take. */
export function judgeLoad({ lost, herd, deltas, plan, serverMemory }: LoadResult, slack: number): string[] {
  const violations: string[] = [];
  if (lost > 0) violations.push(`I8: the last state of ${lost} objects is known to no server`);
  if (herd > HERD * slack) violations.push(`F48: the herd took ${seconds(herd)}, allowed are ${seconds(HERD * slack)}`);
  const promised = plan.perSecond * plan.seconds;
  if (deltas < 0.95 * promised) violations.push(`${deltas} changes were made, promised are ${promised}`);
  const largest = Math.max(...serverMemory);
  if (largest > MEMORY) violations.push(`a server holds ${Math.round(largest / 1024 ** 2)} MiB, allowed are 2048 MiB`);
  return violations;
}
