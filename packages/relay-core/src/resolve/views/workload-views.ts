/** Workloads of meshes whose proxies are configured completely, with the Services that select their pods. */

import {
  type AccessRuleView,
  type Collection,
  type GatewayPartView,
  type InboundServiceView,
  type Key,
  key,
  type MeshFacts,
  memoizeUntilCompaction,
  type Read,
  type RouteView,
  type WorkloadView,
} from '@meshrelay/plugin';
import { hostnameSuffixOf } from '../../fields/virtual-mesh/federation.ts';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import { destinationFacts, type KnownDestination, type WorkloadFacts, workloadFacts } from '../inventory/mod.ts';
import { type Plans, type RouteSets, subsetsForCluster } from '../plans/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import type { ConfiguredMesh, Federates } from '../virtual-meshes/mod.ts';
import { exportedHosts, gatewayAdmissions } from './exported-hosts.ts';

/** A workload of a mesh whose proxies are configured completely. */
interface PlacedWorkload extends WorkloadFacts {
  readonly mesh: Key;
}

/** By workload key; only for meshes whose proxies are configured completely. */
export function workloadViews(
  graph: Graph,
  { workloads }: Pick<FleetState, 'workloads'>,
  resolveContext: ResolveContext,
  plans: Plans,
  routes: RouteSets,
  federates: Federates,
): Collection<WorkloadView> {
  const { meshes, configured } = resolveContext;
  const placed = graph.derive('resolve/workloads', workloads, ({ value }, read): PlacedWorkload | undefined => {
    const workload = workloadFacts(value);
    if (!isPlaced(workload)) return undefined;
    const type = read.get(meshes, workload.mesh)?.type;
    return type !== undefined && configured.hasConfiguredProxies(type) ? workload : undefined;
  });
  const servicesOf = servicesOfWorkloads(graph, placed, resolveContext);
  return graph.inline('resolve/workload-views', placed, (workload, read, id): WorkloadView | undefined => {
    const mesh = read.get(meshes, workload.mesh);
    const member = mesh === undefined ? undefined : configured.of(read, mesh);
    if (mesh === undefined || member === undefined) return undefined;
    const { namespace, name, kind, serviceAccount, podLabels } = workload;
    const services = (read.get(servicesOf, id) ?? []).flatMap((service) => {
      const destination = read.get(resolveContext.destinations.known, service);
      return destination?.mesh?.key === mesh.key ? [destination] : [];
    });
    const gateways = gatewayParts(read, mesh, services, resolveContext, federates);
    const named = read.get(resolveContext.gateways, mesh.key)?.destinations ?? NOTHING;
    return {
      key: id,
      mesh,
      namespace,
      name,
      kind,
      serviceAccount,
      podLabels,
      ...describedAs(member),
      services: services
        .filter((service) => !named.includes(service.key))
        .map((service) => inboundService(read, service, mesh, resolveContext, plans, routes)),
      gateways,
      accessLog: read.get(resolveContext.extensions.logged, id)?.rules ?? NOTHING,
      wasm: read.get(resolveContext.extensions.filtered, id)?.filters ?? NOTHING,
    };
  });
}

const NOTHING: readonly never[] = [];

function describedAs({ virtualMesh, globalAccess, strictMtls }: ConfiguredMesh): ConfiguredMesh {
  return { virtualMesh, globalAccess, strictMtls };
}

function isPlaced(workload: WorkloadFacts): workload is PlacedWorkload {
  return workload.mesh !== undefined;
}

/** Keys of the Services that select the pods of each workload, in order. */
function servicesOfWorkloads(
  graph: Graph,
  placed: Collection<PlacedWorkload>,
  { destinations, configured }: Pick<ResolveContext, 'destinations' | 'configured'>,
): Collection<readonly Key[]> {
  const selecting = graph.index(
    destinations.known,
    'resolve/destinations-by-workload-label',
    ({ cluster, namespace, mesh, workloadSelector }) => {
      if (mesh === undefined || !configured.hasConfiguredProxies(mesh.type)) return NOTHING;
      const [first] = Object.entries(workloadSelector).sort(([a], [b]) => (a < b ? -1 : 1));
      return first === undefined ? NOTHING : [key(cluster, namespace, ...first)];
    },
  );
  const pairs = graph.match('resolve/services-of-workload-pairs', placed, selecting, {
    candidateBuckets: ({ cluster, namespace, podLabels }) =>
      Object.entries(podLabels).map((label) => key(cluster, namespace, ...label)),
    matches: ({ podLabels }, { workloadSelector }) =>
      Object.entries(workloadSelector).every(([label, value]) => podLabels[label] === value),
  });
  const grouped = graph.group(
    'resolve/services-of-workloads',
    pairs,
    ({ left, right }): Array<readonly [Key, Key]> => [[left, right]],
    (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  );
  return grouped;
}

function inboundService(
  read: Read,
  destination: KnownDestination,
  mesh: MeshFacts,
  { federation, virtualDestinations }: ResolveContext,
  plans: Plans,
  routes: RouteSets,
): InboundServiceView {
  const { key: id, cluster } = destination;
  const exported = read.get(federation.exported, id)?.hostname;
  const gatewayHostnames = read.any(virtualDestinations.gatewayHostnamesOfDestination, id)
    ? read.by(virtualDestinations.gatewayHostnamesOfDestination, id).map(([, { gatewayHostname }]) => gatewayHostname)
    : NOTHING;
  return {
    destination: destinationFacts(destination, mesh),
    otherHostnames: [...(exported === undefined ? [] : [exported]), ...gatewayHostnames].sort(),
    subsets: subsetsForCluster(read.get(plans.subsets, id), cluster).map(({ value }) => value.name),
    access: accessOf(read.get(plans.access, id)?.rules ?? NOTHING, read.get(plans.isolation, id)?.rules ?? NOTHING),
    limits: limitsAmong(read.get(routes.local, id)?.routes ?? NOTHING),
  };
}

function accessOf(rules: readonly AccessRuleView[], isolation: readonly AccessRuleView[]): readonly AccessRuleView[] {
  return isolation.length === 0 ? rules : [...rules, ...isolation];
}

/**
 * Routes with only the actions that a proxy in front of the pods applies: rate limits. Such a proxy does not
 * distinguish routes by caller.
 */
const limitsAmong = memoizeUntilCompaction((routes: readonly RouteView[]): readonly RouteView[] =>
  routes.some(({ actions }) => actions.localRateLimit !== undefined)
    ? routes.map(({ actions: { localRateLimit }, ...route }) => ({
        ...route,
        actions: localRateLimit === undefined ? {} : { localRateLimit },
        from: localRateLimit?.from ?? [],
      }))
    : NOTHING,
);

/** The gateways among the Services of a workload. */
function gatewayParts(
  read: Read,
  mesh: MeshFacts,
  services: readonly KnownDestination[],
  resolveContext: ResolveContext,
  federates: Federates,
): readonly GatewayPartView[] {
  const own = services.filter(
    ({ key: id }) => read.get(resolveContext.gateways, mesh.key)?.destinations.includes(id) === true,
  );
  if (own.length === 0) return NOTHING;
  const membership = read.get(resolveContext.virtualMeshes.memberships, mesh.key);
  const virtualMesh = membership && read.get(resolveContext.virtualMeshes.all, membership.virtualMesh)?.object;
  const hosts = exportedHosts(
    mesh,
    hostnameSuffixOf(virtualMesh?.spec.federation),
    gatewayAdmissions(read, mesh, resolveContext, federates),
  );
  if (hosts.length === 0) return NOTHING;
  const gateways = read.get(resolveContext.gateways, mesh.key)?.gateways ?? NOTHING;
  return gateways
    .filter(({ namespace, name }) => own.some((one) => one.namespace === namespace && one.name === name))
    .map(({ name, containerPort }) => ({ name, containerPort, hosts }));
}
