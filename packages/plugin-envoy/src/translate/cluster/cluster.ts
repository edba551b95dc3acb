/** Clusters: what requests are sent to. */
import { aggregateCluster, cluster, create, pack } from '@meshrelay/envoy-api';
import type { MtlsMode, SubsetView } from '@meshrelay/relay-core';
import { duration, fromAgent } from '../messages.ts';
import type { ConnectionParts } from './connection.ts';
import type { PortTransport } from './port-transport.ts';
import { type Identity, simpleTls, upstreamTls } from './tls.ts';

/** A cluster whose endpoints come apart. */
export interface EndpointCluster {
  readonly name: string;
  /** The name of its endpoints, which clusters may share. */
  readonly assignment: string;
  readonly connection: ConnectionParts;
  /** Pods that are told from others by their labels; omitted: all. */
  readonly subset?: SubsetView;
  /** How connections are secured; omitted: whoever sends through it does that. */
  readonly security?: {
    readonly mode: MtlsMode;
    readonly sni: string;
    readonly identities: readonly Identity[];
    readonly portTransport: PortTransport;
  };
}

const HTTP_PROTOCOLS = { http1: ['http/1.1'], http2: ['h2'], bytes: [] } as const;

/** The cluster. Its endpoints are asked for from the agent by their own name. */
export function endpointCluster({ name, assignment, connection, subset, security }: EndpointCluster): cluster.Cluster {
  return create(cluster.ClusterSchema, {
    name,
    clusterDiscoveryType: { case: 'type', value: cluster.Cluster_DiscoveryType.EDS },
    edsClusterConfig: { edsConfig: fromAgent(), serviceName: assignment },
    ...connection,
    commonLbConfig: {
      // Hosts that come and go within a second of each other must not wait for it.
      updateMergeWindow: duration(0),
      // Where all hosts of a level fail, requests are for the next one and not for these all the same.
      healthyPanicThreshold: { value: 0 },
    },
    ...(subset === undefined ? {} : { lbSubsetConfig: subsetOf(subset) }),
    ...transportOf(security),
  });
}

function transportOf(security: EndpointCluster['security']): Pick<Partial<cluster.Cluster>, 'transportSocket'> {
  switch (security?.mode) {
    case 'MUTUAL':
      return {
        transportSocket: upstreamTls(security.sni, security.identities, HTTP_PROTOCOLS[security.portTransport]),
      };
    case 'SIMPLE':
      return { transportSocket: simpleTls(security.sni) };
    default:
      return {};
  }
}

/** The pods with just these labels, and no others where there are none. */
function subsetOf({ labels }: SubsetView): cluster.Cluster_LbSubsetConfig {
  return create(cluster.Cluster_LbSubsetConfigSchema, {
    fallbackPolicy: cluster.Cluster_LbSubsetConfig_LbSubsetFallbackPolicy.DEFAULT_SUBSET,
    defaultSubset: { ...labels },
    subsetSelectors: [{ keys: Object.keys(labels).sort() }],
  });
}

/** One that sends to the first of others that has somebody healthy. */
export function failoverCluster(name: string, clusters: readonly string[]): cluster.Cluster {
  return create(cluster.ClusterSchema, {
    name,
    clusterDiscoveryType: {
      case: 'clusterType',
      value: {
        name: 'envoy.clusters.aggregate',
        typedConfig: pack(aggregateCluster.ClusterConfigSchema, { clusters: [...clusters] }),
      },
    },
    lbPolicy: cluster.Cluster_LbPolicy.CLUSTER_PROVIDED,
    connectTimeout: duration(1000),
  });
}
