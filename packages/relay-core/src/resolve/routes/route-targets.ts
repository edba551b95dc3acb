/**
 * Where routes send requests in addition to their own destination: shifts and mirrors, as a consumer can express them.
 */
import {
  type ClusterObjectRef,
  DEFAULT_WEIGHT,
  type ObjectRef,
  type PolicyRef,
  type PolicyState,
  type Report,
  type WeightedDestination,
  type WeightedVirtualDestination,
} from '@meshrelay/api';
import {
  type Key,
  key,
  type MirrorView,
  type PortView,
  type RouteActions,
  type RouteTarget,
  type Sourced,
} from '@meshrelay/plugin';
import { headerManipulationView } from '../../fields/traffic/header-manipulation.ts';
import type { Hasher } from '../../input/canonical.ts';
import { clusterObjectKey } from '../../store/fleet-state.ts';
import { mergeRefs } from '../../store/precedence.ts';
import { type KnownDestination, supportsHttpRoutes } from '../inventory/mod.ts';
import type { PlannedRoute, TrafficPlan } from '../traffic/mod.ts';
import type { VirtualRouteTarget } from '../virtual-destinations/mod.ts';
import { actsIn, type ClusterScope } from '../workspaces/mod.ts';
import { subsetOf } from './subsets.ts';

/** How the consumer sees other destinations. */
export interface RouteTargetContext {
  /** The consumer's cluster. */
  readonly cluster: string;
  /** The consumer's mesh type. */
  readonly type: string;
  /** Where the policies of the destination act, for those whose reference does not determine it. */
  readonly clusterScopes: readonly ClusterScope[];
  destination(key: Key): KnownDestination | undefined;
  /** How the consumer names a destination; undefined if it cannot reach the destination. */
  hostname(destination: KnownDestination): string | undefined;
  /** Why the mesh of a destination rejects the consumer's requests, if it does. */
  rejection(destination: KnownDestination): string | undefined;
  /** The backend Services of a virtual destination, by its policy's key. */
  behind(virtualDestination: Key): readonly Key[];
  /** How the consumer names a virtual destination; undefined if the consumer cannot use it. */
  virtualDestination(ref: ObjectRef): VirtualRouteTarget | undefined;
}

/** A problem of policies found while their routes were generated. */
export interface RouteProblem {
  readonly policies: readonly PolicyRef[];
  readonly state: PolicyState;
  readonly report: Report;
  /**
   * True if the cause is in the nature of the destination, so that it concerns only policies that name the destination.
   */
  readonly infoUnlessNamed?: boolean;
}

/** A target without its weight or percentage. */
type UnweightedTarget = MirrorView['target'];

/** A target that cannot be generated; its report goes to the policies of the field. */
class Unwritable {
  readonly state: PolicyState;
  readonly report: Report;
  constructor(state: PolicyState, report: Report) {
    this.state = state;
    this.report = report;
  }
}

/** True if a route names other destinations: its effect then depends on the port and on who can reach them. */
export function hasRouteTargets({ fields }: PlannedRoute): boolean {
  return fields.trafficShift !== undefined || fields.mirror !== undefined;
}

/** The other destinations that a route sends requests to, and the problems with them on a port. */
export interface RouteTargets {
  readonly routeTargets: Pick<RouteActions, 'shift' | 'mirror'>;
  readonly problems: readonly RouteProblem[];
  /** Problems of generated targets that reject the requests. */
  readonly refusing: readonly RouteProblem[];
}

/** The route targets that the fields of a route name. */
export function routeTargetsOf(
  planned: PlannedRoute,
  port: PortView,
  surroundings: RouteTargetContext,
  hash: Hasher,
): RouteTargets {
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
  const routeTargets: Pick<RouteActions, 'shift' | 'mirror'> = {
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
  return { routeTargets, problems, refusing: rejectingRouteTargets(routeTargets, surroundings) };
}

/** Reports to policies that send requests to a mesh that rejects them. */
function rejectingRouteTargets(
  { shift, mirror }: RouteTargets['routeTargets'],
  surroundings: RouteTargetContext,
): RouteProblem[] {
  const field = (name: string) => `spec.policy.${name}`;
  return [
    ...(shift?.value ?? []).map((target) => ({ target, field: field('trafficShift.destinations'), from: shift?.from })),
    ...(mirror === undefined ? [] : [{ target: mirror.value.target, field: field('mirror'), from: mirror.from }]),
  ].flatMap(({ target: { destination: id, remote, virtual }, field, from = [] }) => {
    const services = virtual === true ? surroundings.behind(id) : remote ? [id] : [];
    return services.flatMap((service) =>
      rejectingRouteTarget(service, virtual === true, { field, policies: from }, surroundings),
    );
  });
}

function rejectingRouteTarget(
  id: Key,
  virtual: boolean,
  { field, policies }: { readonly field: string; readonly policies: readonly PolicyRef[] },
  surroundings: RouteTargetContext,
): RouteProblem[] {
  const destination = surroundings.destination(id);
  if (destination === undefined || destination.cluster === surroundings.cluster) return [];
  const rejection = surroundings.rejection(destination);
  if (rejection === undefined) return [];
  const { namespace, name, cluster } = destination;
  const through = virtual ? ' through a VirtualDestination' : '';
  const message = `requests sent to Service ${namespace}/${name} of cluster ${cluster}${through} are rejected: ${rejection}`;
  const related = [{ kind: 'Destination', name, namespace, cluster }];
  const report: Report = { code: 'TRUST_DOMAIN_NOT_ACCEPTED', severity: 'warning', field, message, related };
  return [{ policies, state: 'DEGRADED', report }];
}

function isWritable<T extends UnweightedTarget>(target: T | Unwritable): target is T {
  return !(target instanceof Unwritable);
}

function problemsOf(
  targets: ReadonlyArray<UnweightedTarget | Unwritable>,
  policies: readonly PolicyRef[] = [],
): RouteProblem[] {
  return targets.flatMap((target) =>
    target instanceof Unwritable ? [{ policies, state: target.state, report: target.report }] : [],
  );
}

function weightedTarget(
  { kubeService, virtualDestination, weight = DEFAULT_WEIGHT, options }: WeightedDestination,
  from: readonly PolicyRef[],
  field: string,
  port: PortView,
  surroundings: RouteTargetContext,
  hash: Hasher,
): RouteTarget | Unwritable {
  const headers =
    options?.headerManipulation === undefined ? {} : { headers: headerManipulationView(options.headerManipulation) };
  if (kubeService === undefined) {
    const virtual = virtualTarget(virtualDestination, `${field}.virtualDestination`, surroundings);
    return virtual instanceof Unwritable ? virtual : { ...virtual, weight, ...headers };
  }
  const target = serviceTarget(kubeService, kubeService.port, `${field}.kubeService`, port, surroundings);
  if (target instanceof Unwritable) return target;
  const subset =
    kubeService.subset === undefined || Object.keys(kubeService.subset).length === 0 ? undefined : kubeService.subset;
  if (
    subset !== undefined &&
    !from.some((policy) => actsIn(policy, kubeService.clusterName, surroundings.clusterScopes))
  ) {
    return new Unwritable('INVALID', {
      code: 'REF_NOT_PERMITTED',
      severity: 'error',
      field: `${field}.kubeService.subset`,
      message: `a policy of another cluster cannot define subsets of ${kubeService.namespace}/${kubeService.name} in ${kubeService.clusterName}; omit the subset, or move the policy to the management cluster`,
    });
  }
  return {
    ...target,
    weight,
    ...(subset === undefined ? {} : { subset: subsetOf(subset, hash) }),
    ...headers,
  };
}

/** A virtual destination has one port and no subsets: a gateway's endpoint covers all kinds of pods. */
function virtualTarget(
  ref: WeightedVirtualDestination | undefined,
  field: string,
  { virtualDestination }: RouteTargetContext,
): UnweightedTarget | Unwritable {
  const { name = '', namespace = '', subset = {}, port } = ref ?? {};
  const where = `VirtualDestination ${namespace}/${name}`;
  const related = [{ kind: 'VirtualDestination', name, namespace, cluster: '' }];
  const unwritable = (state: PolicyState, code: string, message: string, at = field) =>
    new Unwritable(state, { code, severity: 'error', field: at, message, related });
  const target = ref === undefined ? undefined : virtualDestination(ref);
  if (target === undefined) {
    const message = `${where} is not available to every mesh that calls this destination, or has no backend; see its status`;
    return unwritable('PENDING', 'NOT_FEDERATED', message);
  }
  if (port !== undefined && port !== target.port)
    return unwritable('INVALID', 'AMBIGUOUS_PORT', `${where} only has the port ${target.port}`, `${field}.port`);
  if (!target.http)
    return unwritable(
      'INVALID',
      'NO_HTTP_PORT',
      `the port of ${where} is not an HTTP port, and only HTTP requests can be shifted`,
    );
  if (Object.keys(subset).length > 0) {
    const message = `gateways cannot select subsets of a virtual destination; omit the subset, or list its backends as kubeService, each with the subset`;
    return unwritable('INVALID', 'UNSUPPORTED', message, `${field}.subset`);
  }
  const { key: destination, hostname } = target;
  return { destination, virtual: true, remote: false, hostname, port: target.port, onlyPort: true };
}

function serviceTarget(
  ref: ClusterObjectRef,
  requiredPort: number | undefined,
  field: string,
  port: PortView,
  surroundings: RouteTargetContext,
): UnweightedTarget | Unwritable {
  const where = `Service ${ref.namespace}/${ref.name} of cluster ${ref.clusterName}`;
  const related = [{ kind: 'Destination', name: ref.name, namespace: ref.namespace, cluster: ref.clusterName }];
  const destination = surroundings.destination(clusterObjectKey(ref));
  const hostname = destination === undefined ? undefined : surroundings.hostname(destination);
  if (destination?.serviceType === 'EXTERNAL_NAME') {
    const message = `${where} is an alias of another host (ExternalName), which no mesh can route to; name the Service behind it`;
    return new Unwritable('INVALID', { code: 'EXTERNAL_NAME', severity: 'error', field, message, related });
  }
  if (destination === undefined || hostname === undefined) {
    const message = `${where} is not reachable from every mesh that calls this destination; federate it to them with a VirtualMesh`;
    return new Unwritable('PENDING', { code: 'NOT_FEDERATED', severity: 'error', field, message, related });
  }
  const chosen =
    destination.ports.find(({ number }) => number === requiredPort) ??
    (requiredPort !== undefined
      ? undefined
      : destination.ports.length === 1
        ? destination.ports[0]
        : destination.ports.find(({ number }) => number === port.number));
  if (chosen === undefined) {
    const ports = destination.ports.map(({ number }) => number).join(', ') || 'none';
    const has = requiredPort === undefined ? `has the ports ${ports}` : `has no port ${requiredPort}, only ${ports}`;
    const message = `${where} ${has}; set ${field}.port to one of them`;
    return new Unwritable('INVALID', {
      code: 'AMBIGUOUS_PORT',
      severity: 'error',
      field: `${field}.port`,
      message,
      related,
    });
  }
  if (!supportsHttpRoutes(chosen)) {
    const message = `port ${chosen.number} of ${where} has protocol ${chosen.protocol} and accepts no HTTP requests; name an HTTP port, or a Service with one`;
    return new Unwritable('INVALID', { code: 'NO_HTTP_PORT', severity: 'error', field, message, related });
  }
  return targetOf(destination, hostname, chosen, surroundings);
}

/** A destination as the route target of requests on a port. */
function targetOf(
  destination: KnownDestination,
  hostname: string,
  port: PortView,
  { cluster, type }: RouteTargetContext,
): UnweightedTarget {
  const remote = destination.cluster !== cluster;
  const details = remote || destination.mesh?.type !== type ? undefined : destination.details;
  return {
    destination: destination.key,
    remote,
    hostname,
    port: port.number,
    onlyPort: destination.ports.length === 1,
    ...(details === undefined ? {} : { details }),
  };
}

/**
 * The destinations that a plan's shifts send subsets to, each with the policies that do: `key(destination, subset
 * name)`.
 */
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
