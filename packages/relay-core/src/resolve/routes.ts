/** Routes of a destination as one mesh's proxies must have them. */
import type { PolicyRef } from '@meshrelay/api';
import { canonicalJson, type Hasher } from '../input/canonical.ts';
import { remembered } from '../plugin/remembered.ts';
import { sameList } from '../plugin/same-list.ts';
import type { MeshFacts, RouteActions, RouteTarget, RouteView, Sourced } from '../plugin/views/mod.ts';
import { actionViews } from './action-views.ts';
import { type CallerRoute, routesForCallers, withoutPolicies } from './consumer-plan.ts';
import type { KnownDestination } from './destinations.ts';
import { goalsOf, hasGoals, type RouteProblem, type Surroundings, targetOf } from './goals.ts';
import { compareSpecificity, matchesAll, matchView } from './match-view.ts';
import { overlapProblems } from './overlap/overlaps.ts';
import { takesHttpRoutes } from './ports.ts';
import { mergeRefs } from './precedence.ts';
import type { PlannedRoute, TrafficPlan } from './traffic-plan.ts';

export interface Routes {
  readonly routes: readonly RouteView[];
  readonly problems: readonly RouteProblem[];
  /** Policies with a goal that cannot be written: they have no effect at all here. */
  readonly withheld: readonly PolicyRef[];
}

/**
 * The routes of every HTTP port, most specific first. A policy with a goal that cannot be written is left out whole and reported: in
 * part it would send requests to the wrong place; what other policies say of the same requests stays. Where there is any route there is one that takes the rest, since proxies refuse requests that no route takes.
 */
export function routesFor(
  plan: TrafficPlan,
  destination: KnownDestination,
  hostname: string,
  consumer: MeshFacts,
  surroundings: Surroundings,
  hash: Hasher,
): Routes {
  const ports = destination.ports.filter(takesHttpRoutes);
  const callers = routesForCallers(plan, consumer.cluster);
  if (ports.length === 0) return { routes: [], problems: withoutHttpPort(callers, destination), withheld: [] };
  const problems = distinctProblems(
    callers
      .filter(hasGoals)
      .flatMap((planned) => ports.flatMap((port) => goalsOf(planned, port, surroundings, hash).problems)),
  );
  const withheld = mergeRefs(...problems.map(({ policies }) => policies));
  const kept = withheld.length === 0 ? preparedFor(callers) : prepared(callers, withheld);
  const selves = ports.map((port) => targetOf(destination, hostname, port, surroundings));
  const routes = kept.flatMap(({ planned, scope, actions, from }) =>
    ports.map((port, at): RouteView => {
      const self = selves[at] as RouteTarget;
      if (!hasGoals(planned)) return { ...scope, port, actions, self, from };
      const all = { ...actions, ...goalsOf(planned, port, surroundings, hash).goals };
      return { ...scope, port, actions: all, self, from: policiesOf(all) };
    }),
  );
  if (routes.length === 0) return { routes, problems, withheld };
  for (const [at, port] of ports.entries()) {
    if (routes.some((one) => one.port.number === port.number && matchesAll(one.match))) continue;
    const self = selves[at] as RouteTarget;
    routes.push({ match: matchView(undefined, {}), port, actions: {}, self, from: [] });
  }
  const carried = kept.filter(({ scope }) => surroundings.carries(scope.match));
  const overlaps = carried.length === kept.length ? overlapsAmong(kept) : overlapsOf(carried);
  return { routes: routes.sort(bySpecificity), problems: [...problems, ...overlaps], withheld };
}

/** All of a route that does not depend on the destination and its ports. */
interface PreparedRoute {
  readonly planned: CallerRoute;
  readonly scope: Pick<RouteView, 'match' | 'askedBy'>;
  /** But for those that name other destinations. */
  readonly actions: RouteActions;
  readonly from: readonly PolicyRef[];
}

/** What is left of routes without these policies, the most specific first. */
function prepared(callers: readonly CallerRoute[], withheld: readonly PolicyRef[]): readonly PreparedRoute[] {
  const kept = callers.flatMap((caller): PreparedRoute[] => {
    const planned = { ...caller, fields: withoutPolicies(caller.fields, withheld) };
    if (Object.keys(planned.fields).length === 0) return [];
    const actions = actionViews(planned.fields);
    const scope = { match: matchView(planned.matcher, planned.source), ...askedBy(planned) };
    return [{ planned, scope, actions, from: policiesOf(actions) }];
  });
  return kept.sort((a, b) => compareSpecificity(a.scope.match, b.scope.match));
}

/** Destinations with the same policies have the same routes, and what is remembered of them is remembered for all. */
const preparedFor = remembered((callers: readonly CallerRoute[]) => prepared(callers, []));

function overlapsOf(routes: readonly PreparedRoute[]): readonly RouteProblem[] {
  return overlapProblems(routes.map(({ planned, scope }) => ({ ...planned, match: scope.match })));
}

const overlapsAmong = remembered(overlapsOf);

/** Who asked for a route's match, where that is not everybody with a part in it. */
function askedBy({ own, fields }: CallerRoute): Pick<RouteView, 'askedBy'> {
  const all = Object.entries(fields as Record<string, Sourced<unknown>>);
  const asked = all.filter(([name]) => own.includes(name));
  return asked.length === all.length ? {} : { askedBy: mergeRefs(...asked.map(([, { from }]) => from)) };
}

/** Ports with the same trouble tell of it once. */
function distinctProblems(problems: readonly RouteProblem[]): readonly RouteProblem[] {
  return [...new Map(problems.map((problem) => [canonicalJson(problem), problem])).values()];
}

/** Routes act on requests, and no port of the destination has any that a proxy could see. */
function withoutHttpPort(
  routes: readonly PlannedRoute[],
  { name, namespace, cluster }: KnownDestination,
): RouteProblem[] {
  return routes.flatMap(({ fields }) =>
    Object.entries(fields as Record<string, Sourced<unknown>>).map(
      ([field, { from }]): RouteProblem => ({
        policies: from,
        state: 'DEGRADED',
        moot: true,
        report: {
          code: 'NO_HTTP_PORT',
          severity: 'warning',
          field: `spec.policy.${field}`,
          message: `no port of Service ${namespace}/${name} of cluster ${cluster} carries HTTP, so there are no requests to act on; name a port http, http2 or grpc, or set its appProtocol, if it does`,
        },
      }),
    ),
  );
}

function bySpecificity(a: RouteView, b: RouteView): number {
  return compareSpecificity(a.match, b.match) || a.port.number - b.port.number;
}

const policiesOf = remembered((actions: RouteActions): readonly PolicyRef[] =>
  sameList(mergeRefs(...Object.values(actions as Record<string, Sourced<unknown>>).map(({ from }) => from))),
);
