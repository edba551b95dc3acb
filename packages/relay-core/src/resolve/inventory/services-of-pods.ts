/** Services found by labels of the pods they select. */
import { key, type Read } from '@meshrelay/plugin';
import { hasAll, type Labels } from '../../input/labels.ts';
import type { Destinations } from './destinations.ts';
import type { KnownDestination } from './known-destination.ts';

/** Services of a cluster that select pods by these labels; none without labels. */
export function servicesOfPods(
  read: Read,
  { byPods }: Destinations,
  cluster: string,
  labels: Labels,
): readonly KnownDestination[] {
  const [label] = Object.entries(labels).sort();
  if (label === undefined) return [];
  return read
    .by(byPods, key(cluster, ...label))
    .map(([, destination]) => destination)
    .filter(({ workloadSelector }) => hasAll(workloadSelector, labels));
}
