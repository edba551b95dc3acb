/** Conditions of an object's status, and the times in them. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore } from '../storage/controller-store.ts';

/** A condition. Times are RFC 3339 in whole seconds. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
}

/** The store's time in the format of objects. */
export function timestamp(store: ControllerStore): string {
  return `${new Date(store.now()).toISOString().slice(0, 19)}Z`;
}

/** The conditions with their times: unchanged ones keep theirs, the others get `now`. */
export function stampConditions(
  before: readonly Condition[] | undefined,
  conditions: readonly Condition[],
  now: string,
): Condition[] {
  return conditions.map((condition) => {
    const old = before?.find(({ type }) => type === condition.type);
    const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now;
    return { ...condition, lastTransitionTime };
  });
}

/** True if the object has this condition with status True. */
export function isConditionTrue(object: KubeObject, type: string): boolean {
  const conditions: readonly Condition[] = object['status']?.conditions ?? [];
  return conditions.some((each) => each.type === type && each.status === 'True');
}
