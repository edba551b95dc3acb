/** Limits of the load. */
import { FULL } from '../fleet/scale.ts';
import type { LoadResult } from '../load/load.ts';
import { seconds } from './times.ts';

/** Milliseconds in which every agent is connected again after all servers were killed at once: F48. */
const HERD = 30_000;
/** Maximum bytes of memory of a server. */
const MEMORY = 2 * 1024 ** 3;

/** Maximum event loop delay of a server in milliseconds, at the 99th percentile: T5, G16. */
const LOOP_DELAY = 200;

/** Violations. `slack` is a factor on the promised times. */
export function evaluateLoad(
  { lost, herd, deltas, plan, serverMemory, loopDelays, leasePause }: LoadResult,
  slack: number,
): string[] {
  const violations: string[] = [];
  if (lost > 0) violations.push(`I8: the last state of ${lost} objects is known to no server`);
  if (herd > HERD * slack) violations.push(`F48: the herd took ${seconds(herd)}, allowed are ${seconds(HERD * slack)}`);
  const promised = plan.perSecond * plan.seconds;
  if (deltas < 0.95 * promised) violations.push(`${deltas} changes were made in time, promised are ${promised}`);
  violations.push(...(slack === 1 ? tooLate(loopDelays, leasePause) : []));
  const largest = Math.max(...serverMemory);
  if (largest > MEMORY) violations.push(`a server holds ${Math.round(largest / 1024 ** 2)} MiB, allowed are 2048 MiB`);
  return violations;
}

/**
 * Short runs share a machine with much other work, so their delays do not describe the servers: they are only printed.
 */
function tooLate(loopDelays: LoadResult['loopDelays'], leasePause: number): string[] {
  const delay = Math.max(...loopDelays.map(({ p99 }) => p99));
  const { renewDeadline } = FULL.election;
  return [
    ...(delay > LOOP_DELAY
      ? [`T5: the event loop of a server was ${Math.round(delay)} ms late (p99), allowed are ${LOOP_DELAY} ms`]
      : []),
    ...(leasePause > renewDeadline
      ? [`T5: the Lease was not renewed for ${seconds(leasePause)}, its deadline is ${seconds(renewDeadline)}`]
      : []),
  ];
}
