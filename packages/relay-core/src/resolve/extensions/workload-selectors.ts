/** Workload selectors: which buckets they search, and what they match. */
import type { KubeMatcher, WorkloadSelector } from '@meshrelay/api';
import { type Key, key } from '@meshrelay/plugin';
import { InternedKeys } from '../../graph/interned-keys.ts';
import { matcherSelects } from '../inventory/mod.ts';

/** The properties of a workload that selectors match. */
export interface Selectable {
  readonly cluster: string;
  readonly namespace: string;
  readonly podLabels: Readonly<Record<string, string>>;
}

type Selectors = readonly WorkloadSelector[] | undefined;

const ALL = key('all');
const CLUSTERS = new InternedKeys('cluster');
const NAMESPACES = new InternedKeys('namespace');

/** The buckets of a workload: its cluster, namespace, each label of its pods, and the one of all workloads. */
export function workloadBuckets({ cluster, namespace, podLabels }: Selectable): Key[] {
  const buckets = [ALL, CLUSTERS.of(cluster), NAMESPACES.of(namespace)];
  for (const [label, value] of Object.entries(podLabels)) buckets.push(key('label', label, value));
  return buckets;
}

/** The buckets to search: for each item the narrowest that contains every match. */
export function workloadSelectorBuckets(selectors: Selectors): Key[] {
  if (selectors === undefined || selectors.length === 0) return [ALL];
  return selectors.flatMap(({ kubeWorkloadMatcher }) => matcherBuckets(kubeWorkloadMatcher ?? {}));
}

function matcherBuckets({ labels = {}, namespaces = [], clusters = [] }: KubeMatcher): Key[] {
  const [label] = Object.entries(labels).sort();
  if (label !== undefined) return [key('label', ...label)];
  if (namespaces.length > 0) return namespaces.map((namespace) => NAMESPACES.of(namespace));
  return clusters.length > 0 ? clusters.map((cluster) => CLUSTERS.of(cluster)) : [ALL];
}

/** Whether any item selects the workload. An omitted or empty list, and an empty item, select everything. */
export function selectsWorkload(selectors: Selectors, { cluster, namespace, podLabels }: Selectable): boolean {
  if (selectors === undefined || selectors.length === 0) return true;
  const subject = { labels: podLabels, namespace, cluster };
  return selectors.some(({ kubeWorkloadMatcher }) => matcherSelects(kubeWorkloadMatcher ?? {}, subject));
}

/** The clusters in which the selectors can match workloads; undefined: all. */
export function selectedClusters(selectors: Selectors): readonly string[] | undefined {
  if (selectors === undefined || selectors.length === 0) return undefined;
  const named = selectors.map(({ kubeWorkloadMatcher }) => kubeWorkloadMatcher?.clusters ?? []);
  return named.some((clusters) => clusters.length === 0) ? undefined : [...new Set(named.flat())];
}
