/** The status of a policy before a host adds times and the responses of agents. */
import type { PolicyStatus } from '@meshrelay/api';
import type { RolloutFacts } from './rollout.ts';
import type { TimelessCondition } from './timeless-condition.ts';
import type { VirtualDestinationFacts } from './virtual-destination-status.ts';

export interface ComputedStatus extends Omit<PolicyStatus, 'conditions'>, KindFacts {
  readonly conditions: readonly TimelessCondition[];
}

/** Additional facts in the statuses of some kinds. */
export interface KindFacts extends VirtualDestinationFacts, RolloutFacts {}
