/** How much of the available information a status contains. */
import { MAX_STATUS_REPORTS, MAX_STATUS_TARGETS } from '@meshrelay/api';
import { computedBounds } from './bounds.ts';
import type { ComputedStatus } from './policy-status.ts';

export interface StatusLimits {
  /** The maximum number of targets. */
  readonly targets: number;
  /** The maximum number of reports about the policy itself, and about each target. */
  readonly reports: number;
  /** Removes what does not fit. */
  readonly fit: (status: ComputedStatus) => ComputedStatus;
}

/** Limits for statuses that API servers store. */
export const STORED: StatusLimits = { targets: MAX_STATUS_TARGETS, reports: MAX_STATUS_REPORTS, fit: computedBounds };

/** Everything: for commands that print a status and do not store it. */
export const WHOLE: StatusLimits = {
  targets: Number.POSITIVE_INFINITY,
  reports: Number.POSITIVE_INFINITY,
  fit: (status) => status,
};
