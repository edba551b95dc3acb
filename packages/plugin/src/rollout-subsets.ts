/** Subsets by rollout labels on flat networks, where the caller's proxies do not know those labels. */
import type { Output } from './contract.ts';
import { rolloutLabelsIn } from './rollout-labels.ts';
import type { FederatedDestinationView } from './views/mod.ts';

/**
 * Reports such subsets on the policies that name them. Proxies see only the labels in the Destination for pods that
 * they call directly, and those exclude rollout labels.
 */
export function reportRolloutSubsets(
  { destination, consumer, direct, subsets }: FederatedDestinationView,
  out: Output,
): void {
  if (!direct) return;
  for (const { value, from } of subsets) {
    const unknown = rolloutLabelsIn(value.labels);
    if (unknown.length === 0) continue;
    for (const policy of from) {
      out.report(policy, {
        code: 'UNSUPPORTED',
        severity: 'warning',
        field: 'spec.policy.trafficShift.destinations',
        message: `requests from cluster ${consumer.cluster} to the subset ${value.name} of ${destination.namespace}/${destination.name} of cluster ${destination.cluster} fail: on a flat network proxies do not see the labels ${unknown.join(', ')} of pods; use a label of the pod template that does not change on a rollout`,
      });
    }
  }
}
