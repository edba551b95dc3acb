/** Destinations and meshes as policies see them: joined over all clusters, without what changes by the second. */
import type { Destination, ExternalAddress, Mesh } from '@meshrelay/api';
import type { Collection, Graph, Index } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { DestinationFacts, LocalityView, MeshFacts } from '../plugin/views.ts';
import type { ClusterFacts, World } from '../store/world.ts';
import { localityOf } from './localities.ts';
import { portView, targetPortOf } from './ports.ts';
import { destinationBuckets } from './selectors.ts';

/** A destination, in a mesh or not. */
export interface KnownDestination extends Omit<DestinationFacts, 'mesh'> {
  readonly mesh?: MeshFacts;
}

/** How a destination is reached from outside its cluster. */
export interface Exposure {
  readonly serviceType: string;
  readonly addresses: readonly ExternalAddress[];
  readonly ports: ReadonlyArray<{
    readonly name: string;
    readonly port: number;
    readonly nodePort?: number;
    /** Absent where it has a name and no endpoint to tell its number. */
    readonly targetPort?: number;
  }>;
  readonly locality?: LocalityView;
}

export interface Destinations {
  /** Under `key(cluster, namespace, name)`. */
  readonly known: Collection<KnownDestination>;
  /** The same by the buckets of selectors. */
  readonly byBucket: Index<KnownDestination>;
  readonly exposures: Collection<Exposure>;
  /** The registered clusters, all in the bucket {@link ALL_CLUSTERS}. */
  readonly clusters: Index<ClusterFacts>;
}

export const ALL_CLUSTERS: Key = key('clusters');

export const DEFAULT_CLUSTER_DOMAIN = 'cluster.local';

/** Facts of every mesh, under `key(cluster, namespace, name)`. */
export function meshFacts(graph: Graph, world: World): Collection<MeshFacts> {
  return graph.derive('resolve/meshes', world.meshes, ({ metadata, spec }: Mesh, read, meshKey): MeshFacts => {
    return {
      key: meshKey,
      cluster: spec.cluster,
      clusterDomain: read.get(world.clusters, key(spec.cluster))?.domain ?? DEFAULT_CLUSTER_DOMAIN,
      name: metadata.name,
      namespace: metadata.namespace ?? '',
      type: spec.type,
      trustDomain: spec.trustDomain ?? DEFAULT_CLUSTER_DOMAIN,
      trustDomainAliases: spec.trustDomainAliases ?? [],
      capturesDns: spec.smartDnsProxyingEnabled ?? false,
      details: spec.details ?? {},
    };
  });
}

/** Every destination with its mesh. */
export function joinDestinations(graph: Graph, world: World, meshes: Collection<MeshFacts>): Destinations {
  const known = graph.derive('resolve/destinations', world.destinations, (destination, read, destinationKey) =>
    knownDestination(
      destination,
      destinationKey,
      (cluster) => read.get(world.clusters, key(cluster))?.domain ?? DEFAULT_CLUSTER_DOMAIN,
      (meshKey) => read.get(meshes, meshKey),
    ),
  );
  return {
    known,
    byBucket: graph.index(known, 'resolve/destinations-by-bucket', destinationBuckets),
    exposures: graph.derive('resolve/exposures', world.destinations, exposureOf),
    clusters: graph.index(world.clusters, 'resolve/all-clusters', () => [ALL_CLUSTERS]),
  };
}

function knownDestination(
  { spec }: Destination,
  destinationKey: Key,
  domainOf: (cluster: string) => string,
  meshOf: (meshKey: Key) => MeshFacts | undefined,
): KnownDestination {
  const { ref, ports, labels = {}, workloadSelectorLabels = {}, serviceType, endpointSubsets = [] } = spec.kubeService;
  const { serviceAccounts = [] } = spec.kubeService;
  const mesh = spec.mesh === undefined ? undefined : meshOf(key(ref.clusterName, spec.mesh.namespace, spec.mesh.name));
  return {
    key: destinationKey,
    cluster: ref.clusterName,
    namespace: ref.namespace,
    name: ref.name,
    hostname: `${ref.name}.${ref.namespace}.svc.${domainOf(ref.clusterName)}`,
    ports: ports.map((port) => portView(port, endpointSubsets)),
    labels,
    workloadSelector: workloadSelectorLabels,
    serviceAccounts,
    serviceType,
    ...(mesh === undefined ? {} : { mesh }),
  };
}

function exposureOf({ spec }: Destination): Exposure | undefined {
  const { externalAddresses = [], serviceType, ports, endpointSubsets = [] } = spec.kubeService;
  if (externalAddresses.length === 0) return undefined;
  const locality = localityOf(spec.kubeService);
  return {
    serviceType,
    addresses: externalAddresses,
    ports: ports.map((port) => {
      const { name = '', port: number, nodePort, targetPortName } = port;
      const targetPort = targetPortOf(port, endpointSubsets) ?? (targetPortName === undefined ? number : undefined);
      return {
        name,
        port: number,
        ...(nodePort === undefined ? {} : { nodePort }),
        ...(targetPort === undefined ? {} : { targetPort }),
      };
    }),
    ...(locality === undefined ? {} : { locality }),
  };
}
