/** The resolve stage: from the world to views. All semantics that do not depend on a mesh's own objects end here. */
import type { TrafficPolicy } from '@meshrelay/api';
import type { Collection, Graph, Group, Read } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { DestinationView, MeshFacts, MeshView, ReachView, Sourced, SubsetView } from '../plugin/views.ts';
import { SETTINGS_KEY, type World } from '../store/world.ts';
import { type AccessPlan, type Home, planAccess } from './access.ts';
import { resolveAccessNotes } from './access-notes.ts';
import { connectionView, keepaliveView } from './action-views.ts';
import { actsIn, visibleFields, withoutPolicies } from './consumer-plan.ts';
import { type Destinations, joinDestinations, type KnownDestination, meshFacts } from './destinations.ts';
import { type Federation, resolveFederation } from './federation.ts';
import { type MeshGateways, resolveGateways } from './gateways.ts';
import { memberNotes } from './member-notes.ts';
import { meshViewOf } from './mesh-view.ts';
import { uniqueNames } from './names.ts';
import { outsideMeshVerdicts } from './outside-mesh.ts';
import { type CheckedPolicy, type Policies, resolvePolicies } from './policies.ts';
import { mergeRefs } from './precedence.ts';
import { type Routes, requiredSubsets, routesFor, type Surroundings } from './routes.ts';
import { servicesOfAccounts, sharedAccounts } from './shared-accounts.ts';
import { planTraffic, type TrafficPlan } from './traffic-plan.ts';
import { collectVerdicts, type Verdict } from './verdict.ts';
import { membersOf, resolveVirtualMeshes, type VirtualMeshes } from './virtual-meshes.ts';

export interface Resolved {
  readonly meshes: Collection<MeshFacts>;
  /** Names of Mesh objects in the management namespace, by mesh key. */
  readonly meshNames: Collection<string>;
  readonly destinations: Destinations;
  readonly policies: Policies;
  readonly virtualMeshes: VirtualMeshes;
  readonly gateways: Collection<MeshGateways>;
  readonly federation: Federation;
  /** By destination key; only where there is something to say. */
  readonly destinationViews: Collection<DestinationView>;
  /** By `key(destination, consumer mesh)`. */
  readonly reachViews: Collection<ReachView>;
  /** By mesh key; members of virtual meshes only. */
  readonly meshViews: Collection<MeshView>;
  readonly verdicts: readonly Collection<Verdict>[];
}

const EMPTY_PLAN: TrafficPlan = { routes: [], connection: {}, outcomes: [] };

/** Lays out the stage in a graph. */
export function resolve(graph: Graph, world: World, plugins: readonly LoadedPlugin[], hash: Hasher): Resolved {
  const meshes = meshFacts(graph, world);
  const meshNames = uniqueNames(
    graph,
    'resolve/mesh-names',
    meshes,
    (mesh) => `${mesh.name}-${mesh.namespace}-${mesh.cluster}`,
    hash,
  );
  const destinations = joinDestinations(graph, world, meshes);
  const policies = resolvePolicies(graph, world, destinations);
  const virtualMeshes = resolveVirtualMeshes(graph, policies.checked, meshNames);
  const gatewayDefaults = new Map(plugins.map(({ plugin }) => [plugin.name, plugin.gatewayDefaults]));
  const gateways = resolveGateways(graph, virtualMeshes, meshes, destinations, {
    settings: world.settings,
    defaultsOf: (type) => gatewayDefaults.get(type),
  });
  const federation = resolveFederation(graph, { virtualMeshes, meshes, meshNames, destinations, gateways });

  const trafficPlans = graph.derive('resolve/traffic', policies.trafficPolicies, (group, read) =>
    trafficPlan(group, read, policies),
  );
  const meshesByCluster = graph.index(meshes, 'resolve/meshes-by-cluster', ({ cluster }) => [key(cluster)]);
  const homes = graph.derive('resolve/homes', meshes, (mesh, read): Home => {
    const virtualMesh = read.get(virtualMeshes.memberships, mesh.key)?.virtualMesh;
    return { mesh, peers: virtualMesh === undefined ? [mesh] : membersOf(read, virtualMeshes, meshes, virtualMesh) };
  });
  const accessPlans = graph.derive(
    'resolve/access',
    policies.accessPolicies,
    (group, read, destinationKey): AccessPlan | undefined => {
      const mesh = read.get(destinations.known, destinationKey)?.mesh;
      const home = mesh === undefined ? undefined : read.get(homes, mesh.key);
      if (home === undefined) return undefined;
      return planAccess(group, home, (cluster) => read.by(meshesByCluster, key(cluster)).map(([, facts]) => facts));
    },
  );
  const accessNotes = resolveAccessNotes(graph, accessPlans, destinations);
  const accounts = servicesOfAccounts(graph, destinations.known);
  const subsets = requiredSubsetsByDestination(graph, trafficPlans, hash);

  const surroundings = (read: Read, consumer: MeshFacts): Surroundings => ({
    cluster: consumer.cluster,
    destination: (destinationKey) => read.get(destinations.known, destinationKey),
    hostname: (destination) => hostnameFor(read, federation, destination, consumer),
  });
  const localRoutes = graph.derive(
    'resolve/local-routes',
    trafficPlans,
    (plan, read, destinationKey): Routes | undefined => {
      const destination = read.get(destinations.known, destinationKey);
      if (destination?.mesh === undefined) return undefined;
      return routesFor(
        plan,
        destination,
        destination.hostname,
        destination.mesh,
        surroundings(read, destination.mesh),
        hash,
      );
    },
  );
  const destinationViews = graph.derive(
    'resolve/destination-views',
    destinations.known,
    (destination, read): DestinationView | undefined => {
      const { mesh } = destination;
      if (mesh === undefined) return undefined;
      const exported = read.get(federation.exported, destination.key);
      const local = read.get(localRoutes, destination.key);
      const waysIn = gatewayNamespaces(read.get(gateways, mesh.key));
      const { connection } = read.get(trafficPlans, destination.key) ?? EMPTY_PLAN;
      const access = read.get(accessPlans, destination.key)?.rules ?? [];
      const view: DestinationView = {
        destination: { ...destination, mesh },
        routes: local?.routes ?? [],
        subsets: visibleSubsets(read.get(subsets, destination.key), destination.cluster),
        connection: connectionView(
          withoutPolicies(visibleFields(connection, destination.cluster), local?.withheld ?? []),
          read.get(world.settings, SETTINGS_KEY)?.spec.mtls?.istio?.tlsMode,
        ),
        access,
        sharedAccounts: access.length === 0 ? [] : sharedAccounts(read, accounts, destination),
        ...(exported === undefined || waysIn.length === 0
          ? {}
          : {
              exported: {
                hostname: exported.hostname,
                virtualMesh: exported.ref,
                gatewayNamespaces: waysIn,
              },
            }),
      };
      return saysAnything(view) ? view : undefined;
    },
  );

  const remoteRoutes = graph.derive('resolve/remote-routes', federation.federated, (one, read): Routes | undefined => {
    const plan = read.get(trafficPlans, one.destination);
    const destination = read.get(destinations.known, one.destination);
    const consumer = read.get(meshes, one.consumer);
    if (plan === undefined || destination === undefined || consumer === undefined) return undefined;
    return routesFor(plan, destination, one.hostname, consumer, surroundings(read, consumer), hash);
  });
  const reachViews = graph.derive(
    'resolve/reach-views',
    federation.federated,
    (one, read, reachKey): ReachView | undefined => {
      const destination = read.get(destinations.known, one.destination);
      const consumer = read.get(meshes, one.consumer);
      const address = read.get(world.ledgerVips, key(one.hostname))?.address;
      if (destination?.mesh === undefined || consumer === undefined || address === undefined) return undefined;
      const endpoints = (read.get(gateways, one.home)?.gateways ?? []).flatMap((gateway) => gateway.endpoints);
      if (endpoints.length === 0) return undefined;
      const { connection } = read.get(trafficPlans, one.destination) ?? EMPTY_PLAN;
      const remote = read.get(remoteRoutes, reachKey);
      const keepalive = read.get(virtualMeshes.all, one.virtualMesh)?.object.spec.federation?.tcpKeepalive;
      return {
        destination: { ...destination, mesh: destination.mesh },
        consumer,
        hostname: one.hostname,
        address,
        endpoints,
        routes: remote?.routes ?? [],
        subsets: visibleSubsets(read.get(subsets, one.destination), consumer.cluster),
        connection: connectionView(
          withoutPolicies(visibleFields(connection, consumer.cluster), remote?.withheld ?? []),
          undefined,
        ),
        ...(keepalive === undefined ? {} : { tcpKeepalive: keepaliveView(keepalive) }),
        virtualMesh: one.ref,
      };
    },
  );

  const meshViews = graph.derive(
    'resolve/mesh-views',
    virtualMeshes.memberships,
    (membership, read): MeshView | undefined => {
      const mesh = read.get(meshes, membership.mesh);
      const virtualMesh = read.get(virtualMeshes.all, membership.virtualMesh);
      if (mesh === undefined || virtualMesh === undefined) return undefined;
      return meshViewOf(mesh, virtualMesh, {
        gateways: read.get(gateways, mesh.key)?.gateways ?? [],
        exportsAnything: read.count(federation.exportsOfMesh, mesh.key) > 0,
        peers: membersOf(read, virtualMeshes, meshes, membership.virtualMesh).filter((peer) => peer.key !== mesh.key),
        ingress: gatewayServices(read, destinations, mesh, gatewayDefaults.get(mesh.type)?.labels ?? {}),
      });
    },
  );

  return {
    meshes,
    meshNames,
    destinations,
    policies,
    virtualMeshes,
    gateways,
    federation,
    destinationViews,
    reachViews,
    meshViews,
    verdicts: [
      collectVerdicts(graph, 'resolve/traffic-verdicts', trafficPlans, outcomesOf),
      collectVerdicts(graph, 'resolve/access-verdicts', accessPlans, outcomesOf),
      collectVerdicts(graph, 'resolve/local-route-verdicts', localRoutes, ({ problems }, destinationKey) =>
        problemsOf(problems, destinationKey),
      ),
      collectVerdicts(
        graph,
        'resolve/remote-route-verdicts',
        graph.derive('resolve/remote-problems', remoteRoutes, withTarget(federation)),
        ({ problems, destination }) => problemsOf(problems, destination),
      ),
      accessNotes,
      outsideMeshVerdicts(graph, policies, destinations),
      federation.refusals,
      memberNotes(graph, virtualMeshes, meshes, federation),
    ],
  };
}

/** A policy that names unknown Services as goals waits: written in part, it would send all requests to the goals there are. */
function trafficPlan(group: Group<CheckedPolicy<TrafficPolicy>>, read: Read, policies: Policies): TrafficPlan {
  const waiting = new Map(
    group.filter(namesGoals).flatMap((policy) => {
      const reports = (read.get(policies.missing, policy.key) ?? []).filter(({ field = '' }) =>
        field.startsWith('spec.policy.'),
      );
      return reports.length === 0 ? [] : [[policy.key, { policy: policy.ref, state: 'PENDING' as const, reports }]];
    }),
  );
  if (waiting.size === 0) return planTraffic(group);
  const plan = planTraffic(group.filter((policy) => !waiting.has(policy.key)));
  return { ...plan, outcomes: [...plan.outcomes, ...waiting.values()] };
}

function namesGoals({ object }: CheckedPolicy<TrafficPolicy>): boolean {
  const { trafficShift, mirror } = object.spec.policy ?? {};
  return trafficShift !== undefined || mirror !== undefined;
}

function requiredSubsetsByDestination(
  graph: Graph,
  plans: Collection<TrafficPlan>,
  hash: Hasher,
): Collection<readonly Sourced<SubsetView>[]> {
  const required = graph.deriveMany('resolve/required-subsets', plans, (plan, _read, from) =>
    requiredSubsets(plan, hash).map(
      ({ destination, subset }) => [key(from, destination, subset.value.name), { destination, subset }] as const,
    ),
  );
  const grouped = graph.group(
    'resolve/subsets-of-destination',
    required,
    ({ destination, subset }): Array<readonly [Key, Sourced<SubsetView>]> => [[destination, subset]],
  );
  return graph.derive('resolve/subsets', grouped, (group) => {
    const byName = new Map<string, Sourced<SubsetView>>();
    for (const subset of group) {
      const known = byName.get(subset.value.name);
      byName.set(
        subset.value.name,
        known === undefined ? subset : { value: known.value, from: mergeRefs(known.from, subset.from) },
      );
    }
    return [...byName.values()].sort((a, b) => (a.value.name < b.value.name ? -1 : 1));
  });
}

/** The local name within a cluster, the federated one from another, undefined where it is not federated to the consumer. */
function hostnameFor(
  read: Read,
  federation: Federation,
  destination: KnownDestination,
  consumer: MeshFacts,
): string | undefined {
  if (destination.cluster === consumer.cluster) return destination.hostname;
  return read.get(federation.federated, key(destination.key, consumer.key))?.hostname;
}

/** Subsets that policies which act in the cluster ask for. */
function visibleSubsets(
  subsets: readonly Sourced<SubsetView>[] | undefined,
  cluster: string,
): readonly Sourced<SubsetView>[] {
  return (subsets ?? []).flatMap(({ value, from }) => {
    const seen = from.filter((ref) => actsIn(ref, cluster));
    return seen.length === 0 ? [] : [{ value, from: seen }];
  });
}

function gatewayNamespaces(gateways: MeshGateways | undefined): string[] {
  return [...new Set((gateways?.gateways ?? []).map(({ namespace }) => namespace))].sort();
}

function gatewayServices(
  read: Read,
  destinations: Destinations,
  mesh: MeshFacts,
  labels: Readonly<Record<string, string>>,
): KnownDestination[] {
  const [label] = Object.entries(labels).sort();
  if (label === undefined) return [];
  return read
    .by(destinations.byBucket, key('label', ...label))
    .map(([, destination]) => destination)
    .filter(
      ({ cluster, labels: has }) =>
        cluster === mesh.cluster && Object.entries(labels).every(([name, value]) => has[name] === value),
    );
}

function saysAnything({ routes, subsets, connection, access, exported }: DestinationView): boolean {
  return (
    routes.length > 0 ||
    subsets.length > 0 ||
    Object.keys(connection).length > 0 ||
    access.length > 0 ||
    exported !== undefined
  );
}

function outcomesOf({ outcomes }: TrafficPlan | AccessPlan, destinationKey: Key): Verdict[] {
  return outcomes.map((outcome) => ({ ...outcome, target: { kind: 'Destination', key: destinationKey } }));
}

function problemsOf(problems: Routes['problems'], destinationKey: Key): Verdict[] {
  return problems.flatMap(({ policies, state, report, moot = false }) =>
    policies.map(
      (policy): Verdict => ({
        policy,
        state,
        reports: [report],
        target: { kind: 'Destination', key: destinationKey },
        moot,
      }),
    ),
  );
}

function withTarget(
  federation: Federation,
): (
  routes: Routes,
  read: Read,
  reachKey: Key,
) => { readonly problems: Routes['problems']; readonly destination: Key } | undefined {
  return ({ problems }, read, reachKey) => {
    const destination = read.get(federation.federated, reachKey)?.destination;
    return destination === undefined || problems.length === 0 ? undefined : { problems, destination };
  };
}
