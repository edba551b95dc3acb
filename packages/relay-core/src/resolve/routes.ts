/** Routes of a destination as one mesh's proxies must have them. */
import { MAX_RELATED, type PolicyRef } from '@meshrelay/api';
import { canonicalJson, type Hasher } from '../input/canonical.ts';
import { memoize, memoizeFew, memoizeUntilCompaction } from '../plugin/memoize.ts';
import { internList } from '../plugin/same-list.ts';
import type { MeshFacts, PortView, RouteActions, RouteMatchView, RouteView, Sourced } from '../plugin/views/mod.ts';
import { actionViews } from './action-views.ts';
import type { CompletedRoute } from './completed-routes.ts';
import { type CallersPlan, type Overridden, planForCallers, visibleFields } from './consumer-plan.ts';
import type { KnownDestination } from './destinations.ts';
import { type Goals, goalsOf, hasGoals, type RouteProblem, type Surroundings } from './goals.ts';
import { compareSpecificity, matchesAll, matchView } from './match-view.ts';
import { overlapProblems } from './overlap/overlaps.ts';
import { policyInWords } from './policy-in-words.ts';
import { httpPorts, takesConnections } from './ports.ts';
import { mergeRefs } from './precedence.ts';
import type { Fields, PlannedRoute, TrafficPlan } from './traffic-plan.ts';

export interface Routes {
  readonly routes: readonly RouteView[];
  readonly problems: readonly RouteProblem[];
  /** Policies with a goal that cannot be written: they have no effect at all here. */
  readonly withheld: readonly PolicyRef[];
}

/** Whether the consumer's mesh can tell such requests from others; routes for requests it cannot tell are left out. */
export type Supports = (match: RouteMatchView) => boolean;

export interface RouteContext {
  readonly supports: Supports;
  /** What goals are looked up in; asked for only where there are some. */
  readonly goals: () => Surroundings;
  readonly hash: Hasher;
}

/**
 * The routes of every HTTP port, most specific first. A policy with a goal that cannot be written is left out whole and reported: in
 * part it would send requests to the wrong place; what other policies say of the same requests stays. Where there is any route there is one that takes the rest, since proxies refuse requests that no route takes.
 */
export function routesFor(
  plan: TrafficPlan,
  destination: KnownDestination,
  consumer: MeshFacts,
  { supports, goals, hash }: RouteContext,
): Routes {
  const ports = httpPorts(destination.ports);
  const callers = planForCallers(plan, consumer.cluster);
  if (ports.length === 0) {
    const problems = [...withoutHttpPort(callers, destination), ...withoutPort(plan, destination, consumer)];
    return { routes: [], problems, withheld: [] };
  }
  if (!callers.routes.some(hasGoals)) {
    const plain = plainRoutes(supports)(callers.routes)(ports);
    if (callers.overridden.length === 0) return plain;
    return { ...plain, problems: [...overriddenProblems(callers, consumer), ...plain.problems] };
  }
  const goalsAt = goalsIn(goals(), hash);
  const { kept, unwritable, withheld } = withheldFrom(
    (without) => planForCallers(plan, consumer.cluster, without),
    ports,
    goalsAt,
  );
  const prepared = preparedFor(kept.routes);
  const routes = routesOn(ports, prepared, (planned, port) => goalsAt(planned, port).goals);
  const problems = [
    ...unwritable,
    ...goalProblems(kept.routes, ports, (planned, port) => goalsAt(planned, port).refusing),
    ...overriddenProblems(kept, consumer),
    ...overlapsAmong(prepared, supports),
  ];
  return { routes, problems, withheld };
}

type GoalsAt = (planned: PlannedRoute, port: PortView) => Goals;

/** Takes policies with a goal that cannot be written out of a plan. Others have their say on those requests then, who may want them sent elsewhere in turn. */
function withheldFrom(
  planWithout: (withheld: readonly PolicyRef[]) => CallersPlan,
  ports: readonly PortView[],
  goalsAt: GoalsAt,
) {
  const unwritable: RouteProblem[] = [];
  for (let withheld: readonly PolicyRef[] = []; ; ) {
    const kept = planWithout(withheld);
    const found = goalProblems(kept.routes, ports, (planned, port) => goalsAt(planned, port).problems);
    if (found.length === 0) return { kept, unwritable, withheld };
    unwritable.push(...found);
    withheld = mergeRefs(withheld, ...found.map(({ policies }) => policies));
  }
}

/** What there is to tell of the routes' goals; ports with the same trouble tell of it once. */
function goalProblems(
  routes: readonly PlannedRoute[],
  ports: readonly PortView[],
  problemsAt: (planned: PlannedRoute, port: PortView) => readonly RouteProblem[],
): readonly RouteProblem[] {
  return distinctProblems(
    routes.filter(hasGoals).flatMap((planned) => ports.flatMap((port) => problemsAt(planned, port))),
  );
}

/** The goals of one destination's routes, each found once: they are asked for what is wrong with them, then for what they are. */
function goalsIn(surroundings: Surroundings, hash: Hasher): GoalsAt {
  const known = new Map<Fields, Map<PortView, Goals>>();
  return (planned, port) => {
    const onPorts = known.get(planned.fields) ?? new Map<PortView, Goals>();
    const goals = onPorts.get(port) ?? goalsOf(planned, port, surroundings, hash);
    known.set(planned.fields, onPorts.set(port, goals));
    return goals;
  };
}

/** Routes that send requests nowhere else are the same for all destinations with these policies and ports. */
const plainRoutes = memoizeUntilCompaction((supports: Supports) =>
  memoize((callers: readonly CompletedRoute[]) =>
    memoizeFew((ports: readonly PortView[]): Routes => {
      const kept = preparedFor(callers);
      return { routes: routesOn(ports, kept), problems: overlapsAmong(kept, supports), withheld: [] };
    }),
  ),
);

function routesOn(
  ports: readonly PortView[],
  kept: readonly PreparedRoute[],
  goals?: (planned: CompletedRoute, port: PortView) => RouteActions,
): readonly RouteView[] {
  if (kept.length === 0) return [];
  const routes = kept.flatMap((route) =>
    ports.map((port): RouteView => {
      if (goals === undefined || !hasGoals(route)) return onPort(route, port);
      const actions = { ...route.actions, ...goals(route, port) };
      return { ...onPort(route, port), actions, from: policiesOf(actions) };
    }),
  );
  for (const port of ports) {
    if (routes.some((one) => one.port.number === port.number && matchesAll(one.match))) continue;
    routes.push(onPort(TAKES_THE_REST, port));
  }
  return routes.sort(bySpecificity);
}

/** A route but for the port and for what names other destinations. */
type PortlessRoute = Pick<RouteView, 'match' | 'requestedBy' | 'actions' | 'from'>;

/** A caller's route with all that it comes to whatever the destination. */
type PreparedRoute = CompletedRoute &
  PortlessRoute & {
    /** Names of the fields that are said of its very requests. */
    readonly own: readonly string[];
  };

const TAKES_THE_REST: PortlessRoute = { match: matchView(undefined, {}), actions: {}, from: [] };

/** The very same route on all destinations that have it on such a port. */
function onPort(route: PortlessRoute, port: PortView): RouteView {
  return onPorts(route)(port);
}

const onPorts = memoizeUntilCompaction(({ match, requestedBy, actions, from }: PortlessRoute) =>
  memoizeFew((port: PortView): RouteView => {
    return { match, ...(requestedBy === undefined ? {} : { requestedBy }), port, actions, from };
  }),
);

const preparedRoute = memoizeUntilCompaction((planned: CompletedRoute): PreparedRoute => {
  const actions = actionViews(planned.fields);
  const match = matchView(planned.matcher, planned.source);
  const own = Object.keys(planned.said);
  return { ...planned, own, match, ...requestedBy(planned), actions, from: policiesOf(actions) };
});

/** Destinations with the same policies have the same routes, and what is remembered of them is remembered for all. */
const preparedFor = memoizeUntilCompaction((callers: readonly CompletedRoute[]) => callers.map(preparedRoute));

/** Overlaps among the routes that a mesh can tell apart. */
function overlapsAmong(kept: readonly PreparedRoute[], supports: Supports): readonly RouteProblem[] {
  const carried = kept.filter(({ match }) => supports(match));
  return carried.length === kept.length ? overlapsOfAll(kept) : overlapProblems(carried);
}

const overlapsOfAll = memoizeUntilCompaction(overlapProblems);

/** Who asked for a route's match, where that is not everybody with a part in it. */
function requestedBy({ said, fields }: CompletedRoute): Pick<RouteView, 'requestedBy'> {
  const asked = Object.values(said as Record<string, Sourced<unknown>>);
  if (asked.length === Object.keys(fields).length) return {};
  return { requestedBy: mergeRefs(...asked.map(({ from }) => from)) };
}

function distinctProblems(problems: readonly RouteProblem[]): readonly RouteProblem[] {
  return [...new Map(problems.map((problem) => [canonicalJson(problem), problem])).values()];
}

/** Policies whose say on requests of this cluster's callers others have instead. */
function overriddenProblems({ overridden }: CallersPlan, { cluster }: MeshFacts): readonly RouteProblem[] {
  return distinctProblems(overridden.map((one) => overriddenProblem(one, cluster)));
}

function overriddenProblem({ field, policies, by }: Overridden, cluster: string): RouteProblem {
  const [first] = by;
  const who = first === undefined ? 'another policy' : policyInWords(first);
  return {
    policies,
    state: 'ACCEPTED',
    report: {
      code: 'OVERRIDDEN',
      severity: 'info',
      field: `spec.policy.${field}`,
      message: `callers of cluster ${cluster} have the ${field} of ${who} instead, which is for callers of that cluster alone; change it there, or leave it out there, where this one is meant for them too`,
      related: by.slice(0, MAX_RELATED),
    },
  };
}

/** Routes act on requests, and no port of the destination has any that a proxy could see. */
function withoutHttpPort(
  { routes, overridden }: CallersPlan,
  { name, namespace, cluster }: KnownDestination,
): RouteProblem[] {
  const said = routes.flatMap((route) =>
    Object.entries(route.fields as Record<string, Sourced<unknown>>).map(([field, { from }]) => {
      return { field, policies: from };
    }),
  );
  return [...said, ...overridden].map(
    ({ field, policies }): RouteProblem => ({
      policies,
      state: 'DEGRADED',
      moot: true,
      report: {
        code: 'NO_HTTP_PORT',
        severity: 'warning',
        field: `spec.policy.${field}`,
        message: `no port of Service ${namespace}/${name} of cluster ${cluster} carries HTTP, so there are no requests to act on; name a port http, http2 or grpc, or set its appProtocol, if it does`,
      },
    }),
  );
}

/** Settings of connections, where no port of the destination takes any. */
function withoutPort(
  { connection, realms }: TrafficPlan,
  { name, namespace, cluster, ports }: KnownDestination,
  consumer: MeshFacts,
): RouteProblem[] {
  if (takesConnections(ports)) return [];
  const fields = visibleFields(connection, consumer.cluster, realms);
  const what = ports.length === 0 ? 'has no port' : 'has ports of UDP alone, which passes proxies by';
  return Object.entries(fields as Record<string, Sourced<unknown>>).map(
    ([field, { from }]): RouteProblem => ({
      policies: from,
      state: 'DEGRADED',
      moot: true,
      report: {
        code: 'NO_PORT',
        severity: 'warning',
        field: `spec.policy.${field}`,
        message: `Service ${namespace}/${name} of cluster ${cluster} ${what}, so there are no connections to set it for; give it a port of TCP, if it takes any`,
      },
    }),
  );
}

function bySpecificity(a: RouteView, b: RouteView): number {
  return compareSpecificity(a.match, b.match) || a.port.number - b.port.number;
}

const policiesOf = memoizeUntilCompaction((actions: RouteActions): readonly PolicyRef[] =>
  internList(mergeRefs(...Object.values(actions as Record<string, Sourced<unknown>>).map(({ from }) => from))),
);
