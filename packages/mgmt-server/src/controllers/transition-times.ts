/** Transition times of conditions, for policies whose live status may lag behind the last write. */
import type { Condition } from '@meshrelay/api';
import { withTransitionTimes } from '@meshrelay/kube';
import type { Key, TimelessCondition } from '@meshrelay/relay-core';

export class TransitionTimes {
  readonly #now: () => Date;
  /** The last conditions, which the watch may not have returned yet. */
  readonly #last = new Map<Key, readonly Condition[]>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * The conditions of a policy with their times.
   * @param live conditions at the API server, for a policy that was not timed before
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
