/** Shrinks a failing schedule to the shortest that still fails. */
import type { Schedule } from './schedule.ts';

/** Whether a schedule fails in the same way. */
export type Fails = (schedule: Schedule) => boolean;

/** Maximum number of schedules tried. */
const ATTEMPTS = 60;

/** Delta debugging over the operations: omits halves, quarters and so on while the schedule still fails. */
export function reduce(schedule: Schedule, fails: Fails): Schedule {
  let shortest = schedule;
  let attempts = 0;
  const tried = (operations: Schedule['operations']): boolean => {
    if (attempts++ >= ATTEMPTS) return false;
    const candidate = { ...schedule, operations };
    if (!fails(candidate)) return false;
    shortest = candidate;
    return true;
  };
  for (let size = Math.ceil(shortest.operations.length / 2); size >= 1; ) {
    const { operations } = shortest;
    const starts = Array.from({ length: Math.ceil(operations.length / size) }, (_, at) => at * size);
    const shorter = starts.some((start) => tried([...operations.slice(0, start), ...operations.slice(start + size)]));
    if (!shorter) size = size === 1 ? 0 : Math.ceil(size / 2);
    else size = Math.min(size, Math.max(1, Math.ceil(shortest.operations.length / 2)));
  }
  return shortest;
}
