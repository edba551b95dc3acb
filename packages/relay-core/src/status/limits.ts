/** Limits of a status. */
import type { ComputedStatus } from './computed-status.ts';

export interface StatusLimits {
  /** The maximum number of targets. */
  readonly targets: number;
  /** The maximum number of reports about the policy itself, and about each target. */
  readonly reports: number;
  /** Removes what does not fit. */
  readonly fit: (status: ComputedStatus) => ComputedStatus;
}
