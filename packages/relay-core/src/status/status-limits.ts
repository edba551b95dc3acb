/** How much of the available information a status contains. */

import { MAX_STATUS_REPORTS, MAX_STATUS_TARGETS } from '@meshrelay/api';
import { computedBounds } from './bounds.ts';
import type { StatusLimits } from './limits.ts';

/** Limits for statuses that API servers store. */
export const STORED: StatusLimits = { targets: MAX_STATUS_TARGETS, reports: MAX_STATUS_REPORTS, fit: computedBounds };

/** Everything: for commands that print a status and do not store it. */
export const WHOLE: StatusLimits = {
  targets: Number.POSITIVE_INFINITY,
  reports: Number.POSITIVE_INFINITY,
  fit: (status) => status,
};
