/** Routes of a destination as one mesh's proxies must have them. */
import type { ClusterObjectRef, PolicyRef, PolicyState, Report, WeightedDestination } from '@meshrelay/api';
import { type Key, key } from '../graph/key.ts';
import { canonicalJson, type Hasher } from '../input/canonical.ts';
import type { MeshFacts, PortView, RouteActions, RouteTarget, RouteView, Sourced } from '../plugin/views.ts';
import { clusterObjectKey } from '../store/world.ts';
import { actionViews, headerManipulationView } from './action-views.ts';
import { actsIn, routesForCallers, withoutPolicies } from './consumer-plan.ts';
import type { KnownDestination } from './destinations.ts';
import { compareSpecificity, matchesAll, matchView } from './match-view.ts';
import { takesHttpRoutes } from './ports.ts';
import { mergeRefs } from './precedence.ts';
import { subsetOf } from './subsets.ts';
import type { PlannedRoute, TrafficPlan } from './traffic-plan.ts';

/** How the consumer sees other destinations. */
export interface Surroundings {
  /** The consumer's cluster. */
  readonly cluster: string;
  destination(key: Key): KnownDestination | undefined;
  /** How the consumer names a destination; undefined where it cannot reach it. */
  hostname(destination: KnownDestination): string | undefined;
}

/** Something about policies found while their routes were written. */
export interface RouteProblem {
  readonly policies: readonly PolicyRef[];
  readonly state: PolicyState;
  readonly report: Report;
  /** True where it is in the destination's nature, so that it troubles only those who named that destination. */
  readonly moot?: boolean;
}

export interface Routes {
  readonly routes: readonly RouteView[];
  readonly problems: readonly RouteProblem[];
  /** Policies with a goal that cannot be written: they have no effect at all here. */
  readonly withheld: readonly PolicyRef[];
}

/** A target that cannot be written; what it says is told to the policies of the field. */
class Unwritable {
  readonly state: PolicyState;
  readonly report: Report;
  constructor(state: PolicyState, report: Report) {
    this.state = state;
    this.report = report;
  }
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
  const routes = callers.flatMap((planned) => {
    const fields = withoutPolicies(planned.fields, withheld);
    if (Object.keys(fields).length === 0) return [];
    const kept = { ...planned, fields };
    const match = matchView(kept.matcher, kept.source);
    const actions = actionViews(fields);
    const from = policiesOf(actions);
    return ports.map((port): RouteView => {
      const self = targetOf(destination, hostname, port, surroundings);
      if (!hasGoals(kept)) return { match, port, actions, self, from };
      const all = { ...actions, ...goalsOf(kept, port, surroundings, hash).goals };
      return { match, port, actions: all, self, from: policiesOf(all) };
    });
  });
  if (routes.length === 0) return { routes, problems, withheld };
  for (const port of ports) {
    if (routes.some((one) => one.port.number === port.number && matchesAll(one.match))) continue;
    const self = targetOf(destination, hostname, port, surroundings);
    routes.push({ match: matchView(undefined, {}), port, actions: {}, self, from: [] });
  }
  return { routes: routes.sort(bySpecificity), problems, withheld };
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

function policiesOf(actions: RouteActions): readonly PolicyRef[] {
  return mergeRefs(...Object.values(actions as Record<string, Sourced<unknown>>).map(({ from }) => from));
}

/** True where a route names other destinations: what it does then depends on the port and on who can reach them. */
function hasGoals({ fields }: PlannedRoute): boolean {
  return fields.trafficShift !== undefined || fields.mirror !== undefined;
}

/** The other destinations a route sends requests to, and what of it cannot be written for a port. */
function goalsOf(
  planned: PlannedRoute,
  port: PortView,
  surroundings: Surroundings,
  hash: Hasher,
): { readonly goals: Pick<RouteActions, 'shift' | 'mirror'>; readonly problems: readonly RouteProblem[] } {
  const { trafficShift, mirror } = planned.fields;
  const shift = trafficShift?.value.destinations.map((weighted, position) =>
    weightedTarget(
      weighted,
      trafficShift.from,
      `spec.policy.trafficShift.destinations[${position}]`,
      port,
      surroundings,
      hash,
    ),
  );
  const copy =
    mirror === undefined
      ? undefined
      : serviceTarget(mirror.value.kubeService, mirror.value.port, 'spec.policy.mirror', port, surroundings);
  const goals: Pick<RouteActions, 'shift' | 'mirror'> = {
    ...(trafficShift === undefined
      ? {}
      : { shift: { value: (shift ?? []).filter(isWritable), from: trafficShift.from } }),
    ...(mirror === undefined || copy === undefined || !isWritable(copy)
      ? {}
      : {
          mirror: {
            value: {
              target: copy,
              ...(mirror.value.percentage === undefined ? {} : { percentage: mirror.value.percentage }),
            },
            from: mirror.from,
          },
        }),
  };
  const problems = [
    ...problemsOf(shift ?? [], trafficShift?.from),
    ...problemsOf(copy === undefined ? [] : [copy], mirror?.from),
  ];
  return { goals, problems };
}

function isWritable(target: RouteTarget | Unwritable): target is RouteTarget {
  return !(target instanceof Unwritable);
}

function problemsOf(
  targets: ReadonlyArray<RouteTarget | Unwritable>,
  policies: readonly PolicyRef[] = [],
): RouteProblem[] {
  return targets.flatMap((target) =>
    target instanceof Unwritable ? [{ policies, state: target.state, report: target.report }] : [],
  );
}

function weightedTarget(
  { kubeService, weight, options }: WeightedDestination,
  from: readonly PolicyRef[],
  field: string,
  port: PortView,
  surroundings: Surroundings,
  hash: Hasher,
): RouteTarget | Unwritable {
  if (kubeService === undefined) {
    return new Unwritable('INVALID', {
      code: 'UNSUPPORTED',
      severity: 'error',
      field,
      message: 'a traffic shift to a virtual destination is not supported yet; name a kubeService',
    });
  }
  const target = serviceTarget(kubeService, kubeService.port, `${field}.kubeService`, port, surroundings);
  if (target instanceof Unwritable) return target;
  const subset =
    kubeService.subset === undefined || Object.keys(kubeService.subset).length === 0 ? undefined : kubeService.subset;
  if (subset !== undefined && !from.some((policy) => actsIn(policy, kubeService.clusterName))) {
    return new Unwritable('INVALID', {
      code: 'NOT_GRANTED',
      severity: 'error',
      field: `${field}.kubeService.subset`,
      message: `a policy of another cluster cannot make ${kubeService.clusterName} tell subsets of ${kubeService.namespace}/${kubeService.name} apart; leave the subset out, or put the policy into the management cluster`,
    });
  }
  return {
    ...target,
    weight,
    ...(subset === undefined ? {} : { subset: subsetOf(subset, hash) }),
    ...(options?.headerManipulation === undefined
      ? {}
      : { headers: headerManipulationView(options.headerManipulation) }),
  };
}

function serviceTarget(
  ref: ClusterObjectRef,
  wantedPort: number | undefined,
  field: string,
  port: PortView,
  surroundings: Surroundings,
): RouteTarget | Unwritable {
  const where = `Service ${ref.namespace}/${ref.name} of cluster ${ref.clusterName}`;
  const related = [{ kind: 'Destination', name: ref.name, namespace: ref.namespace, cluster: ref.clusterName }];
  const destination = surroundings.destination(clusterObjectKey(ref));
  const hostname = destination === undefined ? undefined : surroundings.hostname(destination);
  if (destination?.serviceType === 'EXTERNAL_NAME') {
    const message = `${where} is an alias of another host (ExternalName), which no mesh routes to as its own; name the Service behind it`;
    return new Unwritable('INVALID', { code: 'EXTERNAL_NAME', severity: 'error', field, message, related });
  }
  if (destination === undefined || hostname === undefined) {
    const message = `${where} cannot be reached from every mesh that calls this destination; federate it to them with a VirtualMesh`;
    return new Unwritable('PENDING', { code: 'NOT_FEDERATED', severity: 'error', field, message, related });
  }
  const chosen =
    destination.ports.find(({ number }) => number === wantedPort) ??
    (wantedPort !== undefined
      ? undefined
      : destination.ports.length === 1
        ? destination.ports[0]
        : destination.ports.find(({ number }) => number === port.number));
  if (chosen === undefined) {
    const ports = destination.ports.map(({ number }) => number).join(', ');
    const message = `${where} has the ports ${ports}; set ${field}.port to one of them`;
    return new Unwritable('INVALID', {
      code: 'AMBIGUOUS_PORT',
      severity: 'error',
      field: `${field}.port`,
      message,
      related,
    });
  }
  return targetOf(destination, hostname, chosen, surroundings);
}

function targetOf(
  destination: KnownDestination,
  hostname: string,
  port: PortView,
  { cluster }: Surroundings,
): RouteTarget {
  return {
    destination: destination.key,
    remote: destination.cluster !== cluster,
    hostname,
    port: port.number,
    onlyPort: destination.ports.length === 1,
    weight: 100,
  };
}

/** The destinations that a plan's shifts send subsets to, each with the policies that do: `key(destination, subset name)`. */
export function requiredSubsets(
  plan: TrafficPlan,
  hash: Hasher,
): Array<{ readonly destination: Key; readonly subset: Sourced<ReturnType<typeof subsetOf>> }> {
  const found = new Map<Key, { destination: Key; subset: Sourced<ReturnType<typeof subsetOf>> }>();
  for (const { fields } of plan.routes) {
    for (const { kubeService } of fields.trafficShift?.value.destinations ?? []) {
      if (kubeService?.subset === undefined || Object.keys(kubeService.subset).length === 0) continue;
      const destination = clusterObjectKey(kubeService);
      const subset = subsetOf(kubeService.subset, hash);
      const id = key(destination, subset.name);
      const from = mergeRefs(found.get(id)?.subset.from ?? [], fields.trafficShift?.from ?? []);
      found.set(id, { destination, subset: { value: subset, from } });
    }
  }
  return [...found.values()];
}
