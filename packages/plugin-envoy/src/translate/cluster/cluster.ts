/** Clusters: the targets of requests. */
import { aggregateCluster, cluster, create, pack } from '@meshrelay/envoy-api';
import type { MtlsMode, SubsetView } from '@meshrelay/plugin';
import { duration, fromAgent } from '../messages.ts';
import type { ConnectionParts } from './connection.ts';
import type { PortTransport } from './port-transport.ts';
import { type Identity, simpleTls, upstreamTls } from './tls.ts';

/** A cluster with separately served endpoints. */
export interface EndpointCluster {
  readonly name: string;
  /** The name of its endpoints, which clusters may share. */
  readonly assignment: string;
  readonly connection: ConnectionParts;
  /** Pods selected by their labels; omitted: all. */
  readonly subset?: SubsetView;
  /** TLS of connections; omitted: the sender through this cluster handles it. */
  readonly security?: {
    readonly mode: MtlsMode;
    readonly sni: string;
    readonly identities: readonly Identity[];
    readonly portTransport: PortTransport;
  };
}

const HTTP_PROTOCOLS = { http1: ['http/1.1'], http2: ['h2'], bytes: [] } as const;

/** The cluster. Envoy requests its endpoints from the agent by their own name. */
export function endpointCluster({ name, assignment, connection, subset, security }: EndpointCluster): cluster.Cluster {
  return create(cluster.ClusterSchema, {
    name,
    clusterDiscoveryType: { case: 'type', value: cluster.Cluster_DiscoveryType.EDS },
    edsClusterConfig: { edsConfig: fromAgent(), serviceName: assignment },
    ...connection,
    commonLbConfig: {
      // Without a merge window, host changes within one second apply immediately.
      updateMergeWindow: duration(0),
      // If all hosts of a level fail, requests go to the next level instead of to failing hosts.
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

/** The pods with exactly these labels; no fallback to other pods. */
function subsetOf({ labels }: SubsetView): cluster.Cluster_LbSubsetConfig {
  return create(cluster.Cluster_LbSubsetConfigSchema, {
    fallbackPolicy: cluster.Cluster_LbSubsetConfig_LbSubsetFallbackPolicy.DEFAULT_SUBSET,
    defaultSubset: { ...labels },
    subsetSelectors: [{ keys: Object.keys(labels).sort() }],
  });
}

/** An aggregate cluster that sends to the first cluster with a healthy host. */
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
