/**
 * The policy that rows edit, and where its effect shows: the canary of `reviews`, and its VirtualService in cluster-1.
 */
import type { KubeObject } from '@meshrelay/api';
import { NAMESPACE } from '@meshrelay/local-fleet';
import type { FaultFleet } from '../fleet/fault-fleet.ts';

interface Canary extends KubeObject {
  readonly spec: { readonly policy: { readonly trafficShift: { readonly destinations: Array<{ weight: number }> } } };
}

/** Sets a weight that differs from the current one. Returns it. */
export function setCanaryWeight({ management: { sim } }: FaultFleet): number {
  const kind = { apiVersion: 'networking.meshrelay.dev/v1alpha1', kind: 'TrafficPolicy' };
  const policy = sim.objects.get({ ...kind, namespace: NAMESPACE, name: 'reviews-canary' });
  if (policy === undefined) throw new Error('the fleet has no TrafficPolicy reviews-canary');
  const edited = structuredClone(policy) as unknown as Canary;
  const [first, second] = edited.spec.policy.trafficShift.destinations;
  if (first === undefined || second === undefined) throw new Error('reviews-canary shifts between two destinations');
  const weight = first.weight >= 80 ? 60 : first.weight + 1;
  second.weight += first.weight - weight;
  first.weight = weight;
  sim.objects.update(edited as unknown as typeof policy);
  return weight;
}

/** The weight in the configuration of cluster-1's mesh. */
export function canaryWeight(fleet: FaultFleet): number | undefined {
  const name = { namespace: 'bookshop', name: 'meshrelay-reviews' };
  const found = fleet
    .cluster('cluster-1')
    .sim.objects.get({ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', ...name });
  const spec = found?.['spec'] as { http: Array<{ route: Array<{ weight: number }> }> } | undefined;
  return spec?.http[0]?.route[0]?.weight;
}
