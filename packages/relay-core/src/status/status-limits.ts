/** How much a status tells of all there is to tell. */
import { MAX_STATUS_REPORTS, MAX_STATUS_TARGETS } from '@meshrelay/api';
import { computedBounds } from './bounds.ts';
import type { ComputedStatus } from './policy-status.ts';

export interface StatusLimits {
  /** At most so many targets. */
  readonly targets: number;
  /** At most so many reports about the policy itself, and about each target. */
  readonly reports: number;
  /** Leaves out what there is no room for. */
  readonly fit: (status: ComputedStatus) => ComputedStatus;
}

/** What API servers are to store. */
export const STORED: StatusLimits = { targets: MAX_STATUS_TARGETS, reports: MAX_STATUS_REPORTS, fit: computedBounds };

/** Everything: for somebody who looks, and stores nothing. */
export const WHOLE: StatusLimits = {
  targets: Number.POSITIVE_INFINITY,
  reports: Number.POSITIVE_INFINITY,
  fit: (status) => status,
};
