/** Plans: the merged policies of each destination, the same for every caller. */
import type { TrafficPolicy } from '@meshrelay/api';
import {
  type Collection,
  type Group,
  type Key,
  key,
  memoize,
  memoizeUntilCompaction,
  partsOf,
  type Read,
  type Sourced,
  type SubsetView,
} from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { Hasher } from '../../input/canonical.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';
import { policyKey } from '../../store/fleet-state.ts';
import { mergeRefs } from '../../store/precedence.ts';
import {
  type AccessBasis,
  type AccessPlan,
  accessOf,
  isolationPlans,
  peersOf,
  planAccess,
  type TrustBoundary,
  trustBoundaryOf,
} from '../access/mod.ts';
import { means } from '../gateways/mod.ts';
import type { KnownDestination } from '../inventory/mod.ts';
import type { Outcome, TargetedPolicy } from '../policies/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import { requiredSubsets } from '../routes/mod.ts';
import { planTraffic, type TrafficPlan } from '../traffic/mod.ts';
import { actsIn, type ClusterScope, clusterScopesOf, importerPart } from '../workspaces/mod.ts';
import { type MeshOfTargets, meshesOfTargets } from './services-without-pods.ts';

/** Each by destination key. */
export interface Plans {
  readonly traffic: Collection<TrafficPlan>;
  readonly access: Collection<AccessPlan>;
  /** The identities that each mesh trusts, by mesh key. */
  readonly homes: Collection<TrustBoundary>;
  /** The additional rules of workspaces with isolation. */
  readonly isolation: Collection<AccessPlan>;
  /** Subsets that any route sends requests to. */
  readonly subsets: Collection<RequiredSubsets>;
  /** The meshes to which requests for Services without pods go. */
  readonly ofTargets: Collection<MeshOfTargets>;
}

/** Subsets of a destination that any route sends requests to. */
export interface RequiredSubsets {
  readonly subsets: readonly Sourced<SubsetView>[];
  /** Where the policies that require them act, for those whose reference does not determine it. */
  readonly clusterScopes: readonly ClusterScope[];
}

/** The plan if no policy configures traffic. */
export const EMPTY_PLAN: TrafficPlan = { routes: [], connection: {}, outcomes: [], clusterScopes: [] };

/** Adds the plans to a graph. */
export function planPolicies(
  graph: Graph,
  resolveContext: ResolveContext,
  plugins: readonly LoadedPlugin[],
  hash: Hasher,
): Plans {
  const { meshes, members, distrusted, policies, destinations, virtualMeshes, ingress } = resolveContext;
  const traffic = graph.derive('resolve/traffic', policies.trafficPolicies, (group, read, destinationKey) =>
    trafficPlan(group, read, resolveContext, destinationKey),
  );
  const meshesByCluster = graph.index(meshes, 'resolve/meshes-by-cluster', ({ cluster }) => [key(cluster)]);
  const meshesByDomain = graph.index(meshes, 'resolve/meshes-by-trust-domain', ({ trustDomain }) => [key(trustDomain)]);
  const homes = graph.derive('resolve/trust-boundaries', meshes, (mesh, read): TrustBoundary => {
    const virtualMesh = read.get(virtualMeshes.memberships, mesh.key)?.virtualMesh;
    const domains = virtualMesh === undefined ? undefined : read.get(members.trustDomains, virtualMesh);
    const belongsToAnotherMesh = (domain: string): boolean =>
      read.by(meshesByDomain, key(domain)).some(([id]) => id !== mesh.key && !read.has(distrusted, id));
    return trustBoundaryOf(mesh, virtualMesh, domains ?? [mesh.trustDomain], belongsToAnotherMesh);
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
    isolation: isolationPlans(graph, resolveContext, homes, access),
    ofTargets: meshesOfTargets(graph, resolveContext, traffic, plugins),
    subsets: requiredSubsetsByDestination(graph, policies.trafficPolicies, traffic, hash),
  };
}

/**
 * A policy with unknown Services as route targets waits: applied in part, it would send all requests to the remaining
 * targets.
 */
function trafficPlan(
  all: Group<TargetedPolicy<TrafficPolicy>>,
  read: Read,
  { policies, authorities, destinations }: ResolveContext,
  destinationKey: Key,
): TrafficPlan {
  const { group, outcomes: limits } = asFarAsGranted(
    all,
    read,
    authorities,
    read.get(destinations.known, destinationKey),
  );
  const waiting = new Map(
    withRouteTargets(group).flatMap((policy) => {
      const reports = (read.get(policies.missing, policy.key) ?? []).filter(({ field = '' }) =>
        field.startsWith('spec.policy.'),
      );
      return reports.length === 0 ? [] : [[policy.key, { policy: policy.ref, state: 'PENDING' as const, reports }]];
    }),
  );
  if (waiting.size === 0 && limits.length === 0) return planOf(group);
  const taking = group.filter((policy) => !waiting.has(policy.key));
  const plan = planTraffic(taking, clusterScopesOf(taking));
  return { ...plan, outcomes: [...plan.outcomes, ...waiting.values(), ...limits] };
}

/** The same policies give the same plan on every destination; lists of the same policies are one shared list. */
const planOf = memoize(
  (group: Group<TargetedPolicy<TrafficPolicy>>): TrafficPlan => planTraffic(group, clusterScopesOf(group)),
);

/** Policies of a workspace that imports a destination apply only to its own callers. */
function asFarAsGranted(
  all: Group<TargetedPolicy<TrafficPolicy>>,
  read: Read,
  { workspaces }: ResolveContext['authorities'],
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
    if (aboutCallers.length > 0)
      outcomes.push({ policy: ref, state: 'ACCEPTED', reports: aboutCallers, infoUnlessNamed: true });
    return object === undefined ? [] : [{ ...policy, object }];
  });
  return { group, outcomes };
}

/** Once for all destinations with the same policies. */
const withRouteTargets = memoizeUntilCompaction((group: Group<TargetedPolicy<TrafficPolicy>>) =>
  group.filter(namesRouteTargets),
);

function namesRouteTargets({ object }: TargetedPolicy<TrafficPolicy>): boolean {
  const { trafficShift, mirror } = object.spec.policy ?? {};
  return trafficShift !== undefined || mirror !== undefined;
}

function requiredSubsetsByDestination(
  graph: Graph,
  policies: ResolveContext['policies']['trafficPolicies'],
  plans: Collection<TrafficPlan>,
  hash: Hasher,
): Collection<RequiredSubsets> {
  const required = graph.deriveMany('resolve/required-subsets', policies, (group, read, from) => {
    const plan = withRouteTargets(group).length > 0 ? read.get(plans, from) : undefined;
    if (plan === undefined) return [];
    const { clusterScopes } = plan;
    return requiredSubsets(plan, hash).flatMap(({ destination, subset }): ReadonlyArray<readonly [Key, Required]> => {
      const [cluster = ''] = partsOf(destination);
      // Only policies that act in a cluster can define subsets there; route targets of other policies are rejected.
      const isHad = subset.from.some((policy) => actsIn(policy, cluster, clusterScopes));
      return isHad ? [[key(from, destination, subset.value.name), { destination, subset, clusterScopes }]] : [];
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
    return { subsets, clusterScopes: distinctClusterScopes(group.flatMap(({ clusterScopes }) => clusterScopes)) };
  });
}

interface Required {
  readonly destination: Key;
  readonly subset: Sourced<SubsetView>;
  readonly clusterScopes: readonly ClusterScope[];
}

function distinctClusterScopes(clusterScopes: readonly ClusterScope[]): readonly ClusterScope[] {
  return [...new Map(clusterScopes.map((clusterScope) => [policyKey(clusterScope.policy), clusterScope])).values()];
}

const NOTHING: readonly never[] = [];

/** Subsets required by policies that act in the cluster. */
export function subsetsForCluster(
  required: RequiredSubsets | undefined,
  cluster: string,
): readonly Sourced<SubsetView>[] {
  if (required === undefined) return NOTHING;
  const { subsets, clusterScopes } = required;
  return subsets.flatMap(({ value, from }) => {
    const seen = from.filter((ref) => actsIn(ref, cluster, clusterScopes));
    return seen.length === 0 ? [] : [{ value, from: seen }];
  });
}
