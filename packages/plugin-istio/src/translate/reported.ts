/** What policies are told of a part of a view, kept with what the part comes to, so that all views that share it tell the same. */
import type { PolicyRef, Report } from '@meshrelay/api';

export interface Reported {
  readonly policy: PolicyRef;
  readonly report: Report;
}

/** Takes note of what a policy is to be told. */
export type ReportSink = (policy: PolicyRef, report: Report) => void;
