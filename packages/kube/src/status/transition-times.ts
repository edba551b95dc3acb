/** Transition times of conditions: unchanged while the status of the condition is unchanged. */
import type { Condition } from '@meshrelay/api';

/** The conditions with their times, based on the previous ones. Times are in whole seconds, as in Kubernetes. */
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
