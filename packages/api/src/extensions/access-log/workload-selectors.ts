// spec.workloadSelectors of an AccessLogRecord
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { type WorkloadSelector, workloadSelector } from '../../shared/selector.ts';

/** Omitted or empty: every workload. */
export type LoggedWorkloads = readonly WorkloadSelector[];

export const workloadSelectors: SpecField<LoggedWorkloads> = {
  schema: list(workloadSelector),
  examples: [[{ kubeWorkloadMatcher: { labels: { app: 'books' }, namespaces: ['shop'], clusters: ['cluster-1'] } }]],
};
