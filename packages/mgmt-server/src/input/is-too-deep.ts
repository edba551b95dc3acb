/** How deep data may be nested. */
import { MAX_DEPTH } from '@meshrelay/api';

/** Whether anything in the value is nested deeper than what we take. Whatever walks objects later may then do so by recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
