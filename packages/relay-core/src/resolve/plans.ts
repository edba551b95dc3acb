/** Plans: what the policies of each destination come to, the same for every caller. */
import type { TrafficPolicy } from '@meshrelay/api';
import type { Collection, Graph, Group, Read } from '../graph/collection.ts';
import { type Key, key, partsOf } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';
import { memoize, memoizeUntilCompaction } from '../plugin/memoize.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { Sourced, SubsetView } from '../plugin/views/mod.ts';
import { policyKey } from '../store/world.ts';
import { type AccessBasis, type AccessPlan, accessOf, type Home, homeOf, peersOf, planAccess } from './access.ts';
import { actsIn, type Realm, realmsOf } from './authority/authority.ts';
import { importerPart } from './authority/importing.ts';
import { isolationPlans } from './authority/isolation.ts';
import type { KnownDestination } from './destinations.ts';
import { requiredSubsets } from './goals.ts';
import { means } from './ingress-gateways.ts';
import type { Joined } from './joined.ts';
import type { TargetedPolicy } from './policies.ts';
import { mergeRefs } from './precedence.ts';
import { type MeshOfTargets, meshesOfTargets } from './services-without-pods.ts';
import { type Outcome, planTraffic, type TrafficPlan } from './traffic-plan.ts';

/** Each by destination key. */
export interface Plans {
  readonly traffic: Collection<TrafficPlan>;
  readonly access: Collection<AccessPlan>;
  /** Whom each mesh trusts, by mesh key. */
  readonly homes: Collection<Home>;
  /** What workspaces that keep to themselves let in besides. */
  readonly isolation: Collection<AccessPlan>;
  /** Subsets that routes anywhere send to. */
  readonly subsets: Collection<RequiredSubsets>;
  /** The meshes that requests for Services without pods go to. */
  readonly ofTargets: Collection<MeshOfTargets>;
}

/** Subsets of a destination that routes anywhere send to. */
export interface RequiredSubsets {
  readonly subsets: readonly Sourced<SubsetView>[];
  /** Where the policies that ask for them act, for those whose reference does not tell it. */
  readonly realms: readonly Realm[];
}

/** Where nobody says anything about traffic. */
export const EMPTY_PLAN: TrafficPlan = { routes: [], connection: {}, outcomes: [], realms: [] };

/** Lays out the plans in a graph. */
export function planPolicies(graph: Graph, joined: Joined, plugins: readonly LoadedPlugin[], hash: Hasher): Plans {
  const { meshes, members, distrusted, policies, destinations, virtualMeshes, ingress } = joined;
  const traffic = graph.derive('resolve/traffic', policies.trafficPolicies, (group, read, destinationKey) =>
    trafficPlan(group, read, joined, destinationKey),
  );
  const meshesByCluster = graph.index(meshes, 'resolve/meshes-by-cluster', ({ cluster }) => [key(cluster)]);
  const meshesByDomain = graph.index(meshes, 'resolve/meshes-by-trust-domain', ({ trustDomain }) => [key(trustDomain)]);
  const homes = graph.derive('resolve/homes', meshes, (mesh, read): Home => {
    const virtualMesh = read.get(virtualMeshes.memberships, mesh.key)?.virtualMesh;
    const domains = virtualMesh === undefined ? undefined : read.get(members.trustDomains, virtualMesh);
    const isAnothers = (domain: string): boolean =>
      read.by(meshesByDomain, key(domain)).some(([id]) => id !== mesh.key && !read.has(distrusted, id));
    return homeOf(mesh, virtualMesh, domains ?? [mesh.trustDomain], isAnothers);
  });
  const bases = graph.derive(
    'resolve/access',
    policies.accessPolicies,
    (group, read, destinationKey): AccessBasis | AccessPlan | undefined => {
      const destination = read.get(destinations.known, destinationKey);
      const mesh = destination?.mesh;
      const home = mesh === undefined ? undefined : read.get(homes, mesh.key);
      if (home === undefined || destination === undefined) return undefined;
      const meant = read.has(ingress.known, destinationKey)
        ? group.filter(({ object }) => means(object, destination))
        : group;
      if (meant.length === 0) return undefined;
      return accessOf(meant, home, {
        meshesOf: (cluster) =>
          read.by(meshesByCluster, key(cluster)).flatMap(([id, facts]) => (read.has(distrusted, id) ? [] : [facts])),
        peers: peersOf(home, members, read),
      });
    },
  );
  const access = graph.inline('resolve/access-plans', bases, planAccess);
  return {
    traffic,
    homes,
    access,
    isolation: isolationPlans(graph, joined, homes, access),
    ofTargets: meshesOfTargets(graph, joined, traffic, plugins),
    subsets: requiredSubsetsByDestination(graph, policies.trafficPolicies, traffic, hash),
  };
}

/** A policy that names unknown Services as goals waits: written in part, it would send all requests to the goals there are. */
function trafficPlan(
  all: Group<TargetedPolicy<TrafficPolicy>>,
  read: Read,
  { policies, authorities, destinations }: Joined,
  destinationKey: Key,
): TrafficPlan {
  const { group, outcomes: limits } = asFarAsGranted(
    all,
    read,
    authorities,
    read.get(destinations.known, destinationKey),
  );
  const waiting = new Map(
    thoseWithGoals(group).flatMap((policy) => {
      const reports = (read.get(policies.missing, policy.key) ?? []).filter(({ field = '' }) =>
        field.startsWith('spec.policy.'),
      );
      return reports.length === 0 ? [] : [[policy.key, { policy: policy.ref, state: 'PENDING' as const, reports }]];
    }),
  );
  if (waiting.size === 0 && limits.length === 0) return planOf(group);
  const taking = group.filter((policy) => !waiting.has(policy.key));
  const plan = planTraffic(taking, realmsOf(taking));
  return { ...plan, outcomes: [...plan.outcomes, ...waiting.values(), ...limits] };
}

/** The same policies come to the same on every destination, and lists of the same policies are the same list. */
const planOf = memoize(
  (group: Group<TargetedPolicy<TrafficPolicy>>): TrafficPlan => planTraffic(group, realmsOf(group)),
);

/** The policies of those who import a destination hold for their own callers alone. */
function asFarAsGranted(
  all: Group<TargetedPolicy<TrafficPolicy>>,
  read: Read,
  { workspaces }: Joined['authorities'],
  destination: KnownDestination | undefined,
): { readonly group: Group<TargetedPolicy<TrafficPolicy>>; readonly outcomes: readonly Outcome[] } {
  const owner = destination?.workspace;
  const isImporters = ({ authority }: TargetedPolicy): boolean =>
    authority.kind === 'workspace' && authority.workspace !== owner;
  if (owner === undefined || !all.some(isImporters)) return { group: all, outcomes: [] };
  const outcomes: Outcome[] = [];
  const group = all.flatMap((policy) => {
    const { authority, ref } = policy;
    if (authority.kind !== 'workspace' || authority.workspace === owner) return [policy];
    const part = importerPart(policy.object, authority.workspace, owner, { read, workspaces });
    const { object, reports, aboutCallers } = part;
    if (reports.length > 0) outcomes.push({ policy: ref, state: 'DEGRADED', reports });
    if (aboutCallers.length > 0) outcomes.push({ policy: ref, state: 'ACCEPTED', reports: aboutCallers, moot: true });
    return object === undefined ? [] : [{ ...policy, object }];
  });
  return { group, outcomes };
}

/** Once for all destinations with the same policies. */
const thoseWithGoals = memoizeUntilCompaction((group: Group<TargetedPolicy<TrafficPolicy>>) =>
  group.filter(namesGoals),
);

function namesGoals({ object }: TargetedPolicy<TrafficPolicy>): boolean {
  const { trafficShift, mirror } = object.spec.policy ?? {};
  return trafficShift !== undefined || mirror !== undefined;
}

function requiredSubsetsByDestination(
  graph: Graph,
  policies: Joined['policies']['trafficPolicies'],
  plans: Collection<TrafficPlan>,
  hash: Hasher,
): Collection<RequiredSubsets> {
  const required = graph.deriveMany('resolve/required-subsets', policies, (group, read, from) => {
    const plan = thoseWithGoals(group).length > 0 ? read.get(plans, from) : undefined;
    if (plan === undefined) return [];
    const { realms } = plan;
    return requiredSubsets(plan, hash).flatMap(({ destination, subset }): ReadonlyArray<readonly [Key, Required]> => {
      const [cluster = ''] = partsOf(destination);
      // Only who acts there can have a cluster tell subsets apart; the others' goals are refused.
      const isHad = subset.from.some((policy) => actsIn(policy, cluster, realms));
      return isHad ? [[key(from, destination, subset.value.name), { destination, subset, realms }]] : [];
    });
  });
  const grouped = graph.group(
    'resolve/subsets-of-destination',
    required,
    (one): Array<readonly [Key, Required]> => [[one.destination, one]],
  );
  return graph.derive('resolve/subsets', grouped, (group): RequiredSubsets => {
    const byName = new Map<string, Sourced<SubsetView>>();
    for (const { subset } of group) {
      const known = byName.get(subset.value.name);
      byName.set(
        subset.value.name,
        known === undefined ? subset : { value: known.value, from: mergeRefs(known.from, subset.from) },
      );
    }
    const subsets = [...byName.values()].sort((a, b) => (a.value.name < b.value.name ? -1 : 1));
    return { subsets, realms: distinctRealms(group.flatMap(({ realms }) => realms)) };
  });
}

interface Required {
  readonly destination: Key;
  readonly subset: Sourced<SubsetView>;
  readonly realms: readonly Realm[];
}

function distinctRealms(realms: readonly Realm[]): readonly Realm[] {
  return [...new Map(realms.map((realm) => [policyKey(realm.policy), realm])).values()];
}

const NOTHING: readonly never[] = [];

/** Subsets that policies which act in the cluster ask for. */
export function visibleSubsets(required: RequiredSubsets | undefined, cluster: string): readonly Sourced<SubsetView>[] {
  if (required === undefined) return NOTHING;
  const { subsets, realms } = required;
  return subsets.flatMap(({ value, from }) => {
    const seen = from.filter((ref) => actsIn(ref, cluster, realms));
    return seen.length === 0 ? [] : [{ value, from: seen }];
  });
}
