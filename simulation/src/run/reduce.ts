/** Makes a failing schedule as short as it can be and still fail. */
import type { Schedule } from './schedule.ts';

/** Whether a schedule fails in the way that is being looked for. */
export type Fails = (schedule: Schedule) => boolean;

/** How many schedules are tried at most. */
const ATTEMPTS = 60;

/** Delta debugging over the operations: halves, quarters and so on are left out for as long as it still fails. */
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
