/** The result of a policy on a destination. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';

/** The result of one policy on one destination. */
export interface Outcome {
  readonly policy: PolicyRef;
  readonly state: PolicyState;
  readonly reports: readonly Report[];
  /** True if a policy that selects the destination only by a matcher gets the report as info. */
  readonly infoUnlessNamed?: boolean;
}
