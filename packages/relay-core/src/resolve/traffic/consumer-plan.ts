/** The part of a traffic plan for the callers of one cluster, with the policies it comes from. */

import type { PolicyRef } from '@meshrelay/api';
import { memoizeUntilCompaction, type RequestFieldName, type Sourced } from '@meshrelay/plugin';
import { compareRefs, mergeRefs } from '../../store/precedence.ts';
import { actsIn, type ClusterScope } from '../workspaces/mod.ts';
import { type CompletedRoute, completedRoutes } from './completed-routes.ts';
import type { Fields, PlannedRoute } from './planned-route.ts';
import { saysTheSame, scopeId, type TrafficPlan } from './traffic-plan.ts';

/** The routes of a traffic plan for callers of one cluster. */
export interface CallersPlan {
  /** One for each matcher and source, the most specific first. */
  readonly routes: readonly CompletedRoute[];
  /** Fields that other policies override for these callers only. */
  readonly overridden: readonly Overridden[];
}

/** A field for requests from all clusters that other policies override for the same requests from one cluster. */
export interface Overridden {
  readonly field: RequestFieldName;
  readonly policies: readonly PolicyRef[];
  /** The policies that override it. */
  readonly by: readonly PolicyRef[];
}

/**
 * The plan for callers of a cluster. Policies for callers of that cluster only override policies for the same requests
 * from all clusters. Fields that neither sets come from wider routes. Policies in `notApplied` are ignored.
 */
export function planForCallers(plan: TrafficPlan, cluster: string, notApplied: readonly PolicyRef[] = []): CallersPlan {
  if (notApplied.length > 0) return planFor(plan, cluster, notApplied);
  const callers = callersOf(plan);
  // Callers of all clusters that the plan does not distinguish share the same routes.
  if (!callers.named.includes(cluster)) {
    callers.ofOthers ??= planFor(plan, cluster, notApplied);
    return callers.ofOthers;
  }
  callers.ofNamed ??= new Map();
  const known = callers.ofNamed.get(cluster);
  if (known !== undefined) return known;
  const own = planFor(plan, cluster, notApplied);
  callers.ofNamed.set(cluster, own);
  return own;
}

/** The plans of one traffic plan, by callers. */
interface Callers {
  readonly named: readonly string[];
  /** For callers of clusters that are not named; computed on first use. */
  ofOthers?: CallersPlan;
  ofNamed?: Map<string, CallersPlan>;
}

/** One plan serves many destinations, and most plans do not distinguish clusters. */
const callersOf = memoizeUntilCompaction((plan: TrafficPlan): Callers => ({ named: clustersNamedBy(plan) }));

/** The clusters whose callers may have other routes than callers of an unnamed cluster. */
function clustersNamedBy({ routes, clusterScopes }: TrafficPlan): readonly string[] {
  return [...new Set([...clusterScopes.flatMap(({ clusters }) => clusters), ...routes.flatMap(clustersIn)])];
}

/** The clusters that a route is for, or in which its policies are. */
const clustersIn = memoizeUntilCompaction(({ source, fields }: PlannedRoute): readonly string[] => {
  const named = new Set(source.cluster === undefined ? [] : [source.cluster]);
  for (const { from } of Object.values(fields as Record<string, Sourced<unknown>>))
    for (const policy of from) named.add(policy.cluster);
  return [...named];
});

function planFor(
  { routes, clusterScopes }: TrafficPlan,
  cluster: string,
  notApplied: readonly PolicyRef[],
): CallersPlan {
  const wide = new Map<string, PlannedRoute>();
  const narrow = new Map<string, PlannedRoute>();
  for (const route of routes) {
    const only = route.source.cluster;
    if (only !== undefined && only !== cluster) continue;
    const fields = withoutPolicies(visibleFields(route.fields, cluster, clusterScopes), notApplied);
    if (Object.keys(fields).length === 0) continue;
    if (only === undefined) wide.set(route.id, fields === route.fields ? route : { ...route, fields });
    else {
      const forAll = withoutCluster(route);
      narrow.set(forAll.id, { ...forAll, fields });
    }
  }
  const overridden: Overridden[] = [];
  for (const [id, route] of narrow) {
    const wider = wide.get(id);
    wide.set(id, wider === undefined ? route : { ...route, fields: layered(wider.fields, route.fields, overridden) });
  }
  return { routes: completedRoutes([...wide.values()]), overridden };
}

/** The merged fields; the narrow route's value overrides. Equal values keep the policies of both. */
function layered(wide: Fields, narrow: Fields, overridden: Overridden[]): Fields {
  const fields: Record<string, Sourced<unknown>> = { ...wide, ...narrow };
  for (const [name, { value, from }] of Object.entries(narrow as Record<string, Sourced<unknown>>)) {
    const field = name as RequestFieldName;
    const held: Sourced<unknown> | undefined = wide[field];
    if (held === undefined) continue;
    if (saysTheSame(field, held.value, value)) fields[name] = { value, from: mergeRefs(held.from, from) };
    else overridden.push({ field, policies: held.from, by: from });
  }
  return fields as Fields;
}

/** The same requests from any cluster. */
function withoutCluster(route: PlannedRoute): PlannedRoute {
  const { cluster: _cluster, ...source } = route.source;
  return { ...route, id: scopeId(route.matcher, source), source };
}

/** The fields of a plan that apply to callers of a cluster: those of policies that act there. */
export function visibleFields(fields: Fields, cluster: string, clusterScopes: readonly ClusterScope[]): Fields {
  return fieldsOf(fields, (policy) => actsIn(policy, cluster, clusterScopes));
}

/** The fields that are set by some policy outside the given list. */
export function withoutPolicies(fields: Fields, left: readonly PolicyRef[]): Fields {
  return left.length === 0
    ? fields
    : fieldsOf(fields, (policy) => !left.some((other) => compareRefs(policy, other) === 0));
}

function fieldsOf(fields: Fields, counts: (policy: PolicyRef) => boolean): Fields {
  const all = Object.values(fields as Record<string, Sourced<unknown>>);
  if (all.every(({ from }) => from.every(counts))) return fields;
  const retained = Object.entries(fields as Record<string, Sourced<unknown>>).flatMap(([name, { value, from }]) => {
    const policies = from.filter(counts);
    return policies.length === 0 ? [] : [[name, { value, from: policies }] as const];
  });
  return Object.fromEntries(retained) as Fields;
}
