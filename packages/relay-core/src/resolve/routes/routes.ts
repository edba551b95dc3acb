/** Routes of a destination as the proxies of one mesh need them. */
import { MAX_RELATED, type PolicyRef } from '@meshrelay/api';
import {
  formatPolicyRef,
  type MeshFacts,
  memoize,
  memoizeUntilCompaction,
  type PortView,
  type RouteActions,
  type RouteMatchView,
  type RouteView,
  type Sourced,
} from '@meshrelay/plugin';
import { internList } from '../../caches/intern-list.ts';
import { memoizeFew } from '../../caches/memoize-few.ts';
import { canonicalJson, type Hasher } from '../../input/canonical.ts';
import { mergeRefs } from '../../store/precedence.ts';
import { hasTcpPort, httpPorts, type KnownDestination } from '../inventory/mod.ts';
import {
  actionViews,
  type CallersPlan,
  type CompletedRoute,
  compareSpecificity,
  type Fields,
  matchesAll,
  matchView,
  type Overridden,
  type PlannedRoute,
  planForCallers,
  type TrafficPlan,
  visibleFields,
} from '../traffic/mod.ts';
import { overlapProblems } from './overlaps.ts';
import {
  hasRouteTargets,
  type RouteProblem,
  type RouteTargetContext,
  type RouteTargets,
  routeTargetsOf,
} from './route-targets.ts';

export interface Routes {
  readonly routes: readonly RouteView[];
  readonly problems: readonly RouteProblem[];
  /** Policies with a route target that cannot be generated: they have no effect here. */
  readonly notApplied: readonly PolicyRef[];
}

/**
 * Whether the consumer's mesh can distinguish such requests; routes for requests that it cannot distinguish are left
 * out.
 */
export type Supports = (match: RouteMatchView) => boolean;

export interface RouteContext {
  readonly supports: Supports;
  /** Where route targets are looked up; called only if there are route targets. */
  readonly routeTargets: () => RouteTargetContext;
  readonly hash: Hasher;
}

/**
 * The routes of every HTTP port, most specific first. If there is any route there is also a catch-all route, since
 * proxies reject requests that match no route.
 * A policy with a route target that cannot be generated is left out entirely and reported: in part it would send
 * requests to the wrong place. Other policies for the same requests stay.
 */
export function routesFor(
  plan: TrafficPlan,
  destination: KnownDestination,
  consumer: MeshFacts,
  { supports, routeTargets, hash }: RouteContext,
): Routes {
  const ports = httpPorts(destination.ports);
  const callers = planForCallers(plan, consumer.cluster);
  if (ports.length === 0) {
    const problems = [...withoutHttpPort(callers, destination), ...withoutPort(plan, destination, consumer)];
    return { routes: [], problems, notApplied: [] };
  }
  if (!callers.routes.some(hasRouteTargets)) {
    const plain = plainRoutes(supports)(callers.routes)(ports);
    if (callers.overridden.length === 0) return plain;
    return { ...plain, problems: [...overriddenProblems(callers, consumer), ...plain.problems] };
  }
  const routeTargetsAt = routeTargetsIn(routeTargets(), hash);
  const { retained, unwritable, notApplied } = withoutPolicies(
    (without) => planForCallers(plan, consumer.cluster, without),
    ports,
    routeTargetsAt,
  );
  const prepared = preparedFor(retained.routes);
  const routes = routesOn(ports, prepared, (planned, port) => routeTargetsAt(planned, port).routeTargets);
  const problems = [
    ...unwritable,
    ...routeTargetProblems(retained.routes, ports, (planned, port) => routeTargetsAt(planned, port).refusing),
    ...overriddenProblems(retained, consumer),
    ...overlapsAmong(prepared, supports),
  ];
  return { routes, problems, notApplied };
}

type RouteTargetsAt = (planned: PlannedRoute, port: PortView) => RouteTargets;

/**
 * Removes policies with a route target that cannot be generated from a plan. Other policies then apply to those
 * requests, and their route targets may also fail.
 */
function withoutPolicies(
  planWithout: (notApplied: readonly PolicyRef[]) => CallersPlan,
  ports: readonly PortView[],
  routeTargetsAt: RouteTargetsAt,
) {
  const unwritable: RouteProblem[] = [];
  for (let notApplied: readonly PolicyRef[] = []; ; ) {
    const retained = planWithout(notApplied);
    const found = routeTargetProblems(
      retained.routes,
      ports,
      (planned, port) => routeTargetsAt(planned, port).problems,
    );
    if (found.length === 0) return { retained, unwritable, notApplied };
    unwritable.push(...found);
    notApplied = mergeRefs(notApplied, ...found.map(({ policies }) => policies));
  }
}

/** Problems of the routes' targets; ports with the same problem report it once. */
function routeTargetProblems(
  routes: readonly PlannedRoute[],
  ports: readonly PortView[],
  problemsAt: (planned: PlannedRoute, port: PortView) => readonly RouteProblem[],
): readonly RouteProblem[] {
  return distinctProblems(
    routes.filter(hasRouteTargets).flatMap((planned) => ports.flatMap((port) => problemsAt(planned, port))),
  );
}

/** The route targets of one destination, each computed once: first for their problems, then for the routes. */
function routeTargetsIn(surroundings: RouteTargetContext, hash: Hasher): RouteTargetsAt {
  const known = new Map<Fields, Map<PortView, RouteTargets>>();
  return (planned, port) => {
    const onPorts = known.get(planned.fields) ?? new Map<PortView, RouteTargets>();
    const routeTargets = onPorts.get(port) ?? routeTargetsOf(planned, port, surroundings, hash);
    known.set(planned.fields, onPorts.set(port, routeTargets));
    return routeTargets;
  };
}

/** Routes without other destinations are the same for all destinations with these policies and ports. */
const plainRoutes = memoizeUntilCompaction((supports: Supports) =>
  memoize((callers: readonly CompletedRoute[]) =>
    memoizeFew((ports: readonly PortView[]): Routes => {
      const retained = preparedFor(callers);
      return { routes: routesOn(ports, retained), problems: overlapsAmong(retained, supports), notApplied: [] };
    }),
  ),
);

function routesOn(
  ports: readonly PortView[],
  retained: readonly PreparedRoute[],
  routeTargets?: (planned: CompletedRoute, port: PortView) => RouteActions,
): readonly RouteView[] {
  if (retained.length === 0) return [];
  const routes = retained.flatMap((route) =>
    ports.map((port): RouteView => {
      if (routeTargets === undefined || !hasRouteTargets(route)) return onPort(route, port);
      const actions = { ...route.actions, ...routeTargets(route, port) };
      return { ...onPort(route, port), actions, from: policiesOf(actions) };
    }),
  );
  for (const port of ports) {
    if (routes.some((one) => one.port.number === port.number && matchesAll(one.match))) continue;
    routes.push(onPort(TAKES_THE_REST, port));
  }
  return routes.sort(bySpecificity);
}

/** A route without its port and without fields that name other destinations. */
type PortlessRoute = Pick<RouteView, 'match' | 'requestedBy' | 'actions' | 'from'>;

/** A caller's route with all parts that do not depend on the destination. */
type PreparedRoute = CompletedRoute &
  PortlessRoute & {
    /** Names of the fields that policies set for exactly its requests. */
    readonly own: readonly string[];
  };

const TAKES_THE_REST: PortlessRoute = { match: matchView(undefined, {}), actions: {}, from: [] };

/** The same route object on all destinations that have it on such a port. */
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
  const own = Object.keys(planned.explicit);
  return { ...planned, own, match, ...requestedBy(planned), actions, from: policiesOf(actions) };
});

/** Destinations with the same policies have the same routes, so memoized results serve all of them. */
const preparedFor = memoizeUntilCompaction((callers: readonly CompletedRoute[]) => callers.map(preparedRoute));

/** Overlaps among the routes that a mesh can distinguish. */
function overlapsAmong(retained: readonly PreparedRoute[], supports: Supports): readonly RouteProblem[] {
  const supported = retained.filter(({ match }) => supports(match));
  return supported.length === retained.length ? overlapsOfAll(retained) : overlapProblems(supported);
}

const overlapsOfAll = memoizeUntilCompaction(overlapProblems);

/** The policies that request a route's match, if other policies contribute to it too. */
function requestedBy({ explicit, fields }: CompletedRoute): Pick<RouteView, 'requestedBy'> {
  const requested = Object.values(explicit as Record<string, Sourced<unknown>>);
  if (requested.length === Object.keys(fields).length) return {};
  return { requestedBy: mergeRefs(...requested.map(({ from }) => from)) };
}

function distinctProblems(problems: readonly RouteProblem[]): readonly RouteProblem[] {
  return [...new Map(problems.map((problem) => [canonicalJson(problem), problem])).values()];
}

/** Policies that other policies override for callers of this cluster. */
function overriddenProblems({ overridden }: CallersPlan, { cluster }: MeshFacts): readonly RouteProblem[] {
  return distinctProblems(overridden.map((one) => overriddenProblem(one, cluster)));
}

function overriddenProblem({ field, policies, by }: Overridden, cluster: string): RouteProblem {
  const [first] = by;
  const who = first === undefined ? 'another policy' : formatPolicyRef(first);
  return {
    policies,
    state: 'ACCEPTED',
    report: {
      code: 'OVERRIDDEN',
      severity: 'info',
      field: `spec.policy.${field}`,
      message: `callers in cluster ${cluster} use the ${field} of ${who} instead, which applies to callers of that cluster only; change or remove it there to use this one for them, too`,
      related: by.slice(0, MAX_RELATED),
    },
  };
}

/** Routes act on requests, and no port of the destination has requests that a proxy can see. */
function withoutHttpPort(
  { routes, overridden }: CallersPlan,
  { name, namespace, cluster }: KnownDestination,
): RouteProblem[] {
  const explicit = routes.flatMap((route) =>
    Object.entries(route.fields as Record<string, Sourced<unknown>>).map(([field, { from }]) => {
      return { field, policies: from };
    }),
  );
  return [...explicit, ...overridden].map(
    ({ field, policies }): RouteProblem => ({
      policies,
      state: 'DEGRADED',
      infoUnlessNamed: true,
      report: {
        code: 'NO_HTTP_PORT',
        severity: 'warning',
        field: `spec.policy.${field}`,
        message: `Service ${namespace}/${name} of cluster ${cluster} has no HTTP port, so the policy applies to no request; if a port is HTTP, name it http, http2 or grpc, or set its appProtocol`,
      },
    }),
  );
}

/** Connection settings, if no port of the destination accepts connections. */
function withoutPort(
  { connection, clusterScopes }: TrafficPlan,
  { name, namespace, cluster, ports }: KnownDestination,
  consumer: MeshFacts,
): RouteProblem[] {
  if (hasTcpPort(ports)) return [];
  const fields = visibleFields(connection, consumer.cluster, clusterScopes);
  const what = ports.length === 0 ? 'has no port' : 'has only UDP ports, which proxies do not handle';
  return Object.entries(fields as Record<string, Sourced<unknown>>).map(
    ([field, { from }]): RouteProblem => ({
      policies: from,
      state: 'DEGRADED',
      infoUnlessNamed: true,
      report: {
        code: 'NO_PORT',
        severity: 'warning',
        field: `spec.policy.${field}`,
        message: `Service ${namespace}/${name} of cluster ${cluster} ${what}, so connection settings have no effect; add a TCP port if it accepts TCP connections`,
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
