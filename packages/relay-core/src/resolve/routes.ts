/** Routes of a destination as one mesh's proxies must have them. */
import type { ClusterObjectRef, PolicyRef, PolicyState, Report, WeightedDestination } from '@meshrelay/api';
import { type Key, key } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';
import type { MeshFacts, PortView, RouteActions, RouteTarget, RouteView, Sourced } from '../plugin/views.ts';
import { clusterObjectKey } from '../store/world.ts';
import { actionViews, headerManipulationView } from './action-views.ts';
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
}

export interface Routes {
  readonly routes: readonly RouteView[];
  readonly problems: readonly RouteProblem[];
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
 * The routes of every HTTP port, most specific first. A route with a target that cannot be written is left out whole and reported.
 * Where there is any route there is one that takes the rest, since proxies refuse requests that no route takes.
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
  const problems: RouteProblem[] = [];
  const routes: RouteView[] = [];
  for (const planned of plan.routes) {
    const { clusters } = planned.source;
    if (clusters !== undefined && !clusters.includes(consumer.cluster)) continue;
    for (const port of ports) {
      const self = targetOf(destination, hostname, port, surroundings);
      const actions = actionsOf(planned, port, surroundings, hash);
      if (Array.isArray(actions)) problems.push(...actions);
      else if (Object.keys(actions).length > 0) routes.push(route(planned, port, actions, self));
    }
  }
  if (routes.length === 0) return { routes, problems };
  for (const port of ports) {
    if (routes.some((one) => one.port.number === port.number && matchesAll(one.match))) continue;
    routes.push({
      match: matchView(undefined, {}),
      port,
      actions: {},
      self: targetOf(destination, hostname, port, surroundings),
      from: [],
    });
  }
  return { routes: routes.sort(bySpecificity), problems };
}

function bySpecificity(a: RouteView, b: RouteView): number {
  return compareSpecificity(a.match, b.match) || a.port.number - b.port.number;
}

function route(planned: PlannedRoute, port: PortView, actions: RouteActions, self: RouteTarget): RouteView {
  const from = mergeRefs(...Object.values(actions as Record<string, Sourced<unknown>>).map((action) => action.from));
  return { match: matchView(planned.matcher, planned.source), port, actions, self, from };
}

function actionsOf(
  planned: PlannedRoute,
  port: PortView,
  surroundings: Surroundings,
  hash: Hasher,
): RouteActions | RouteProblem[] {
  const { trafficShift, mirror } = planned.fields;
  const shift = trafficShift?.value.destinations.map((weighted, position) =>
    weightedTarget(weighted, `spec.policy.trafficShift.destinations[${position}]`, port, surroundings, hash),
  );
  const copy =
    mirror === undefined
      ? undefined
      : serviceTarget(mirror.value.kubeService, mirror.value.port, 'spec.policy.mirror', port, surroundings);
  const problems = [
    ...problemsOf(shift ?? [], trafficShift?.from),
    ...problemsOf(copy === undefined ? [] : [copy], mirror?.from),
  ];
  if (problems.length > 0) return problems;
  return {
    ...actionViews(planned.fields),
    ...(trafficShift === undefined
      ? {}
      : { shift: { value: (shift ?? []) as RouteTarget[], from: trafficShift.from } }),
    ...(mirror === undefined
      ? {}
      : {
          mirror: {
            value: {
              target: copy as RouteTarget,
              ...(mirror.value.percentage === undefined ? {} : { percentage: mirror.value.percentage }),
            },
            from: mirror.from,
          },
        }),
  };
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
  return {
    ...target,
    weight,
    ...(kubeService.subset === undefined || Object.keys(kubeService.subset).length === 0
      ? {}
      : { subset: subsetOf(kubeService.subset, hash) }),
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
