/** When conditions took their present status, for policies whose live status may lag behind what was written. */
import type { Condition } from '@meshrelay/api';
import { withTransitionTimes } from '@meshrelay/kube';
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
    const timed = withTransitionTimes(conditions, before, this.#now());
    this.#last.set(policy, timed);
    return timed;
  }

  forget(policy: Key): void {
    this.#last.delete(policy);
  }
}
