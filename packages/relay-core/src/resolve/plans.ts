/** Plans: what the policies of each destination come to, the same for every caller. */
import type { TrafficPolicy } from '@meshrelay/api';
import type { Collection, Graph, Group, Read } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';
import { remembered } from '../plugin/remembered.ts';
import type { Sourced, SubsetView } from '../plugin/views.ts';
import { type AccessPlan, type Home, planAccess } from './access.ts';
import { actsIn } from './consumer-plan.ts';
import { requiredSubsets } from './goals.ts';
import type { Joined } from './joined.ts';
import type { CheckedPolicy, Policies } from './policies.ts';
import { mergeRefs } from './precedence.ts';
import { planTraffic, type TrafficPlan } from './traffic-plan.ts';
import { collectVerdicts, type Verdict } from './verdict.ts';
import { membersOf } from './virtual-meshes.ts';

/** Each by destination key. */
export interface Plans {
  readonly traffic: Collection<TrafficPlan>;
  readonly access: Collection<AccessPlan>;
  /** Subsets that routes anywhere send to. */
  readonly subsets: Collection<readonly Sourced<SubsetView>[]>;
  readonly verdicts: readonly Collection<Verdict>[];
}

/** Where nobody says anything about traffic. */
export const EMPTY_PLAN: TrafficPlan = { routes: [], connection: {}, outcomes: [] };

/** Lays out the plans in a graph. */
export function planPolicies(graph: Graph, joined: Joined, hash: Hasher): Plans {
  const { meshes, policies, destinations, virtualMeshes } = joined;
  const traffic = graph.derive('resolve/traffic', policies.trafficPolicies, (group, read) =>
    trafficPlan(group, read, policies),
  );
  const meshesByCluster = graph.index(meshes, 'resolve/meshes-by-cluster', ({ cluster }) => [key(cluster)]);
  const homes = graph.derive('resolve/homes', meshes, (mesh, read): Home => {
    const virtualMesh = read.get(virtualMeshes.memberships, mesh.key)?.virtualMesh;
    return { mesh, peers: virtualMesh === undefined ? [mesh] : membersOf(read, virtualMeshes, meshes, virtualMesh) };
  });
  const access = graph.derive(
    'resolve/access',
    policies.accessPolicies,
    (group, read, destinationKey): AccessPlan | undefined => {
      const mesh = read.get(destinations.known, destinationKey)?.mesh;
      const home = mesh === undefined ? undefined : read.get(homes, mesh.key);
      if (home === undefined) return undefined;
      return planAccess(group, home, (cluster) => read.by(meshesByCluster, key(cluster)).map(([, facts]) => facts));
    },
  );
  return {
    traffic,
    access,
    subsets: requiredSubsetsByDestination(graph, traffic, hash),
    verdicts: [
      collectVerdicts(graph, 'resolve/traffic-verdicts', traffic, outcomesOf),
      collectVerdicts(graph, 'resolve/access-verdicts', access, outcomesOf),
    ],
  };
}

/** A policy that names unknown Services as goals waits: written in part, it would send all requests to the goals there are. */
function trafficPlan(group: Group<CheckedPolicy<TrafficPolicy>>, read: Read, policies: Policies): TrafficPlan {
  const waiting = new Map(
    group.filter(namesGoals).flatMap((policy) => {
      const reports = (read.get(policies.missing, policy.key) ?? []).filter(({ field = '' }) =>
        field.startsWith('spec.policy.'),
      );
      return reports.length === 0 ? [] : [[policy.key, { policy: policy.ref, state: 'PENDING' as const, reports }]];
    }),
  );
  if (waiting.size === 0) return planOf(group);
  const plan = planTraffic(group.filter((policy) => !waiting.has(policy.key)));
  return { ...plan, outcomes: [...plan.outcomes, ...waiting.values()] };
}

/** The same policies come to the same on every destination, and lists of the same policies are the same list. */
const planOf = remembered((group: Group<CheckedPolicy<TrafficPolicy>>): TrafficPlan => planTraffic(group));

function namesGoals({ object }: CheckedPolicy<TrafficPolicy>): boolean {
  const { trafficShift, mirror } = object.spec.policy ?? {};
  return trafficShift !== undefined || mirror !== undefined;
}

function requiredSubsetsByDestination(
  graph: Graph,
  plans: Collection<TrafficPlan>,
  hash: Hasher,
): Collection<readonly Sourced<SubsetView>[]> {
  const required = graph.deriveMany('resolve/required-subsets', plans, (plan, _read, from) =>
    requiredSubsets(plan, hash).map(
      ({ destination, subset }) => [key(from, destination, subset.value.name), { destination, subset }] as const,
    ),
  );
  const grouped = graph.group(
    'resolve/subsets-of-destination',
    required,
    ({ destination, subset }): Array<readonly [Key, Sourced<SubsetView>]> => [[destination, subset]],
  );
  return graph.derive('resolve/subsets', grouped, (group) => {
    const byName = new Map<string, Sourced<SubsetView>>();
    for (const subset of group) {
      const known = byName.get(subset.value.name);
      byName.set(
        subset.value.name,
        known === undefined ? subset : { value: known.value, from: mergeRefs(known.from, subset.from) },
      );
    }
    return [...byName.values()].sort((a, b) => (a.value.name < b.value.name ? -1 : 1));
  });
}

/** Subsets that policies which act in the cluster ask for. */
export function visibleSubsets(
  subsets: readonly Sourced<SubsetView>[] | undefined,
  cluster: string,
): readonly Sourced<SubsetView>[] {
  return (subsets ?? []).flatMap(({ value, from }) => {
    const seen = from.filter((ref) => actsIn(ref, cluster));
    return seen.length === 0 ? [] : [{ value, from: seen }];
  });
}

function outcomesOf({ outcomes }: TrafficPlan | AccessPlan, destinationKey: Key): Verdict[] {
  return outcomes.map((outcome) => ({ ...outcome, target: { kind: 'Destination', key: destinationKey } }));
}
