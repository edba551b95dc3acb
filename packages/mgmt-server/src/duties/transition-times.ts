/** When conditions took their present status: kept for as long as that stays the same. */
import type { Condition } from '@meshrelay/api';
import type { Key, TimelessCondition } from '@meshrelay/relay-core';

export class TransitionTimes {
  readonly #now: () => Date;
  /** What was given last, which the API server may not have told back yet. */
  readonly #last = new Map<Key, readonly Condition[]>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * The conditions of a policy with their times.
   * @param live those the API server has, for a policy that was not asked about before
   */
  timed(
    policy: Key,
    conditions: readonly TimelessCondition[],
    live: readonly Condition[] | undefined,
  ): readonly Condition[] {
    const before = this.#last.get(policy) ?? live ?? [];
    const timed = conditions.map((condition): Condition => {
      const old = before.find(({ type }) => type === condition.type);
      const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : wholeSeconds(this.#now());
      return { ...condition, lastTransitionTime };
    });
    this.#last.set(policy, timed);
    return timed;
  }

  forget(policy: Key): void {
    this.#last.delete(policy);
  }
}

/** As Kubernetes writes times. */
function wholeSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
