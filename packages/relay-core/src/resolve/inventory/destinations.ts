/** Destinations and meshes as policies see them: of all clusters, without data that changes every second. */
import {
  DEFAULT_CLUSTER_DOMAIN,
  type Destination,
  type DestinationPort,
  type EndpointSubset,
  type ExternalAddress,
  type KubeService,
  type Mesh,
} from '@meshrelay/api';
import {
  type Collection,
  type DestinationFacts,
  type Group,
  type Index,
  type Key,
  key,
  type LocalityView,
  type MeshFacts,
  partsOf,
} from '@meshrelay/plugin';
import { InternPool } from '../../caches/intern-pool.ts';
import type { Graph } from '../../graph/collection.ts';
import type { ClusterFacts, FleetState } from '../../store/fleet-state.ts';
import type { Authorities } from '../workspaces/mod.ts';
import type { KnownDestination } from './known-destination.ts';
import { localityOf, within } from './localities.ts';
import { type PortFault, soundPorts } from './port-faults.ts';
import { portViews, targetPortOf } from './ports.ts';
import { SameTexts } from './same-texts.ts';
import { destinationBuckets } from './selectors.ts';

/** How a destination is reached from outside its cluster. */
export interface Exposure {
  /** Not empty, each once. */
  readonly addresses: readonly ExposedAddress[];
  readonly ports: readonly ExposedPort[];
}

/** An IP address or host name. */
export interface ExposedAddress {
  readonly address: string;
  /** True for a node address: clients dial the node port there. */
  readonly ofNode: boolean;
  readonly locality?: LocalityView;
}

export interface ExposedPort {
  readonly name: string;
  readonly port: number;
  readonly nodePort?: number;
  /** Absent if the port has a name and no endpoint resolves its number. */
  readonly targetPort?: number;
}

export interface Destinations {
  /** Under `key(cluster, namespace, name)`. */
  readonly known: Collection<KnownDestination>;
  /** The same by the buckets of selectors. */
  readonly byBucket: Index<KnownDestination>;
  /** The same by cluster and each label of the pods they select. */
  readonly byPods: Index<KnownDestination>;
  readonly exposures: Collection<Exposure>;
  /** Labels that distinguish the pods of a Service, with their values; only Services that have such labels. */
  readonly distinguishingLabels: Collection<NonNullable<KubeService['subsets']>>;
  /**
   * Labels of the pods of each workload, by `key(cluster, namespace)`. Read it only for policies that name labels: it
   * changes whenever workloads come and go.
   */
  readonly podLabels: Index<Readonly<Record<string, string>>>;
  /** Faults of ports, for destinations with faulty ports; those ports are left out of `known`. */
  readonly portFaults: Collection<readonly PortFault[]>;
  /** The names of the registered clusters in order, under {@link ALL_CLUSTERS}. */
  readonly clusterNames: Collection<Group<string>>;
}

export const ALL_CLUSTERS: Key = key('clusters');

/** Facts of every mesh, under `key(cluster, namespace, name)`. */
export function meshFacts(graph: Graph, fleetState: FleetState): Collection<MeshFacts> {
  return graph.derive('resolve/meshes', fleetState.meshes, ({ metadata, spec }: Mesh, read, meshKey): MeshFacts => {
    return {
      key: meshKey,
      cluster: spec.cluster,
      clusterDomain: read.get(fleetState.clusters, key(spec.cluster))?.domain ?? DEFAULT_CLUSTER_DOMAIN,
      name: metadata.name,
      namespace: metadata.namespace ?? '',
      type: spec.type,
      trustDomain: spec.trustDomain ?? DEFAULT_CLUSTER_DOMAIN,
      trustDomainAliases: spec.trustDomainAliases ?? [],
      capturesDns: spec.smartDnsProxyingEnabled ?? false,
      ipFamilies: spec.ipFamilies ?? [],
      details: spec.details ?? {},
    };
  });
}

/** Every destination with its mesh. */
export function joinDestinations(
  graph: Graph,
  fleetState: FleetState,
  meshes: Collection<MeshFacts>,
  authorities: Pick<Authorities, 'workspaceAccess'>,
): Destinations {
  const known = graph.derive('resolve/destinations', fleetState.destinations, (destination, read, destinationKey) => {
    const facts = knownDestination(
      destination.value,
      destinationKey,
      (cluster) => read.get(fleetState.clusters, key(cluster)),
      (meshKey) => read.get(meshes, meshKey),
    );
    return { ...facts, ...authorities.workspaceAccess(read, facts) };
  });
  return {
    known,
    byBucket: graph.index(known, 'resolve/destinations-by-bucket', destinationBuckets),
    byPods: graph.index(known, 'resolve/destinations-by-pods', ({ cluster, workloadSelector }) =>
      Object.entries(workloadSelector).map((label) => key(cluster, ...label)),
    ),
    exposures: graph.inline('resolve/exposures', fleetState.destinations, ({ value }) => exposureOf(value)),
    distinguishingLabels: graph.inline(
      'resolve/distinguishing-labels',
      fleetState.destinations,
      ({ value: { spec } }) => {
        const { subsets = {} } = spec.kubeService;
        return Object.keys(subsets).length === 0 ? undefined : SUBSETS.of(JSON.stringify(subsets), subsets);
      },
    ),
    podLabels: graph.index(
      graph.derive('resolve/pod-labels', fleetState.workloads, ({ value }) => value.spec.kubernetes.podLabels ?? {}),
      'resolve/pod-labels-by-namespace',
      (_, workloadKey) => [namespaceOf(workloadKey)],
    ),
    portFaults: graph.inline('resolve/port-problems', fleetState.destinations, ({ value: { spec } }) => {
      const { faults } = soundPorts(spec.kubeService.ports);
      return faults.length === 0 ? undefined : faults;
    }),
    clusterNames: graph.group(
      'resolve/all-clusters',
      fleetState.clusters,
      ({ name }): Array<readonly [Key, string]> => [[ALL_CLUSTERS, name]],
    ),
  };
}

/** Most Services have the same subsets as many others. */
const SUBSETS = new InternPool<NonNullable<KubeService['subsets']>>();

function namespaceOf(objectKey: Key): Key {
  const [cluster = '', namespace = ''] = partsOf(objectKey);
  return key(cluster, namespace);
}

function knownDestination(
  { spec }: Destination,
  destinationKey: Key,
  clusterOf: (cluster: string) => ClusterFacts | undefined,
  meshOf: (meshKey: Key) => MeshFacts | undefined,
): KnownDestination {
  const { ref, ports, labels = {}, workloadSelectorLabels = {}, serviceType, endpointSubsets = [] } = spec.kubeService;
  const { serviceAccounts = [], headless = false, workloadsWithoutProxy } = spec.kubeService;
  const mesh = spec.mesh === undefined ? undefined : meshOf(key(ref.clusterName, spec.mesh.namespace, spec.mesh.name));
  const cluster = clusterOf(ref.clusterName);
  const details = mesh === undefined ? undefined : spec.details?.[mesh.type];
  const texts = new SameTexts(ref.name, ref.namespace);
  return {
    key: destinationKey,
    // One string for all destinations of the cluster.
    cluster: cluster?.name ?? ref.clusterName,
    namespace: ref.namespace,
    name: ref.name,
    // `join` creates one flat string; concatenation would create a chain of pieces.
    hostname: [ref.name, ref.namespace, 'svc', cluster?.domain ?? DEFAULT_CLUSTER_DOMAIN].join('.'),
    ports: portViews(soundPorts(ports).sound, endpointSubsets),
    labels: texts.inLabels(labels),
    workloadSelector: texts.inLabels(workloadSelectorLabels),
    serviceAccounts: texts.inList(serviceAccounts),
    serviceType: SERVICE_TYPES.find((one) => one === serviceType) ?? serviceType,
    headless,
    ...(workloadsWithoutProxy === undefined ? {} : { workloadsWithoutProxy }),
    ...(details === undefined ? {} : { details }),
    ...(mesh === undefined ? {} : { mesh }),
  };
}

/** One string for each type; parsed JSON has one for each Service. */
const SERVICE_TYPES = ['CLUSTER_IP', 'NODE_PORT', 'LOAD_BALANCER', 'EXTERNAL_NAME'] as const;

function isOfNoWorkspace({ workspace, importedBy }: KnownDestination): boolean {
  return workspace === undefined && importedBy === undefined;
}

/** The facts of a destination for views: plugins do not need its workspace. */
export function destinationFacts(destination: KnownDestination, mesh: MeshFacts): DestinationFacts {
  if (destination.mesh === mesh && isOfNoWorkspace(destination)) return destination as DestinationFacts;
  const { workspace: _workspace, importedBy: _importedBy, ...facts } = destination;
  return { ...facts, mesh };
}

function exposureOf({ spec: { kubeService } }: Destination): Exposure | undefined {
  const { externalAddresses = [], ports, endpointSubsets = [] } = kubeService;
  const locality = localityOf(kubeService);
  const addresses = new Map<string, ExposedAddress>();
  for (const one of externalAddresses) {
    const address = one.ip ?? one.dnsName;
    if (address === undefined || addresses.has(address)) continue;
    const place = locationOf(one, kubeService.region) ?? locality;
    addresses.set(address, {
      address,
      ofNode: one.node !== undefined,
      ...(place === undefined ? {} : { locality: place }),
    });
  }
  if (addresses.size === 0) return undefined;
  return {
    addresses: [...addresses.values()],
    ports: soundPorts(ports).sound.map((port) => exposedPort(port, endpointSubsets)),
  };
}

function locationOf({ subLocality }: ExternalAddress, region: string | undefined): LocalityView | undefined {
  return region === undefined || subLocality === undefined ? undefined : within(region, subLocality);
}

function exposedPort(exposed: DestinationPort, endpoints: readonly EndpointSubset[]): ExposedPort {
  const { name = '', port, nodePort, targetPortName } = exposed;
  const targetPort = targetPortOf(exposed, endpoints) ?? (targetPortName === undefined ? port : undefined);
  return {
    name,
    port,
    ...(nodePort === undefined ? {} : { nodePort }),
    ...(targetPort === undefined ? {} : { targetPort }),
  };
}
