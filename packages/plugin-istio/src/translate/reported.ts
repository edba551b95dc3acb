/**
 * Reports about a part of a view, memoized with its translation, so all views that share the part emit the same
 * reports.
 */
import type { PolicyRef, Report } from '@meshrelay/plugin';

export interface Reported {
  readonly policy: PolicyRef;
  readonly report: Report;
}

/** Receives a report for a policy. */
export type ReportSink = (policy: PolicyRef, report: Report) => void;
