// spec.workloadSelectors of a WasmDeployment
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { type WorkloadSelector, workloadSelector } from '../../shared/selector.ts';

/** Omitted or empty: every workload. */
export type WasmWorkloadSelectors = readonly WorkloadSelector[];

export const workloadSelectors: SpecField<WasmWorkloadSelectors> = {
  schema: list(workloadSelector),
  examples: [[{ kubeWorkloadMatcher: { labels: { app: 'books' }, namespaces: ['shop'], clusters: ['cluster-1'] } }]],
};
