/** When conditions took their present status: kept for as long as that stays the same. */
import type { Condition } from '@meshrelay/api';

/** The conditions with their times, given those there were before. Times are in whole seconds, as Kubernetes writes them. */
export function withTransitionTimes(
  conditions: ReadonlyArray<Omit<Condition, 'lastTransitionTime'>>,
  before: readonly Condition[],
  now: Date,
): readonly Condition[] {
  return conditions.map((condition): Condition => {
    const old = before.find(({ type }) => type === condition.type);
    const lastTransitionTime =
      old?.status === condition.status ? old.lastTransitionTime : now.toISOString().replace(/\.\d+Z$/, 'Z');
    return { ...condition, lastTransitionTime };
  });
}
