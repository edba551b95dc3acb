/** The labels of the workloads of a Service. */
import { key, type Read } from '@meshrelay/plugin';
import { hasAll, type Labels } from '../../input/labels.ts';
import type { Destinations } from './destinations.ts';
import type { KnownDestination } from './known-destination.ts';

/** For each workload whose pods the Service selects: the labels that all pods of the workload have. */
export function workloadLabelsOf(
  { cluster, namespace, workloadSelector }: KnownDestination,
  { podLabels }: Pick<Destinations, 'podLabels'>,
  read: Read,
): Labels[] {
  if (Object.keys(workloadSelector).length === 0) return [];
  return read
    .by(podLabels, key(cluster, namespace))
    .flatMap(([, labels]) => (hasAll(labels, workloadSelector) ? [labels] : []));
}
