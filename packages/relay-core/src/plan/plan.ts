/** The effects of a change before it is applied: compares two fleets, output by output. Pure, like all of core. */
import type { ControlPlane } from '../control-plane.ts';
import { policyKey } from '../store/fleet-state.ts';
import { compareRefs } from '../store/precedence.ts';
import type { ChangeKind, ClusterPlan, ObjectChange, PlanDocument, ReachedDestination } from './document.ts';
import { objectChanges } from './object-changes.ts';
import { policyChanges } from './policy-changes.ts';

/**
 * What would be written and deleted on the way from one fleet to the other. Both have made their decisions, the later
 * one from the ledger of the earlier.
 */
export function plan(before: ControlPlane, after: ControlPlane): PlanDocument {
  const policies = policyChanges(before, after);
  const others = new Set(policies.map(({ policy }) => policyKey(policy)));
  const objects = objectChanges(before, after, (policy) => others.has(policy));
  const clusters = byCluster(objects);
  const destinations = reachedDestinations(objects);
  return {
    blastRadius: { clusters: clusters.length, destinations: destinations.length, ...counts(objects) },
    clusters,
    destinations,
    policies,
  };
}

/** True if nothing would be written, and no policy would have another result. */
export function isEmptyPlan({ clusters, policies }: PlanDocument): boolean {
  return clusters.length === 0 && policies.length === 0;
}

function byCluster(objects: readonly ObjectChange[]): ClusterPlan[] {
  return [...Map.groupBy(objects, ({ cluster }) => cluster)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([cluster, own]) => ({ cluster, ...counts(own), objects: own }));
}

function counts(objects: readonly ObjectChange[]): Readonly<Record<ChangeKind, number>> {
  const all = { created: 0, changed: 0, deleted: 0 };
  for (const { change } of objects) all[change]++;
  return all;
}

function reachedDestinations(objects: readonly ObjectChange[]): ReachedDestination[] {
  const reached = new Map<string, { destination: ReachedDestination['destination']; clusters: Set<string> }>();
  for (const { cluster, targets } of objects) {
    for (const target of targets) {
      if (target.kind !== 'Destination') continue;
      const id = policyKey(target);
      const found = reached.get(id) ?? { destination: target, clusters: new Set() };
      reached.set(id, found);
      found.clusters.add(cluster);
    }
  }
  return [...reached.values()]
    .map(({ destination, clusters }) => ({ destination, clusters: [...clusters].sort() }))
    .sort((a, b) => compareRefs(a.destination, b.destination));
}
