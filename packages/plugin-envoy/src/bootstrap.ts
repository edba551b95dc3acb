/**
 * The bootstrap of an Envoy in the mesh: its identity, and the address of the agent that serves all other
 * configuration.
 */
import {
  bootstrap as bootstrapPackage,
  cluster,
  core,
  create,
  grpcCredential,
  httpUpstream,
  type JsonObject,
  messageToJson,
  metrics,
  pack,
} from '@meshrelay/envoy-api';
import { AGENT_CLUSTER } from './agent-cluster.ts';
import { address, duration, fromAgent } from './translate/messages.ts';

/** An Envoy and its agent. */
export interface BootstrapOptions {
  /** The name of the controller of its pod. */
  readonly workload: string;
  readonly namespace: string;
  /** `host:port` of the agent's Service, with a name that the agent's certificate contains. */
  readonly agent: string;
  /** Path of the file with a token of its ServiceAccount; Envoy reads it again for each stream. */
  readonly tokenFile: string;
  /** Path of the file with the roots that signed the agent's certificate. */
  readonly rootsFile: string;
}

const STAT_PREFIX = 'agent';
const ADMIN_PORT = 15000;
/** Envoy's default limit of 100 rejects expressions such as `[a-z0-9-]{1,63}`; Istio's proxies use this value. */
const RUNTIME = { 're2.max_program_size.error_level': 32_768 };
const FILE_CREDENTIALS = 'envoy.grpc_credentials.file_based_metadata';

/** The bootstrap as data; Envoy reads it as YAML or JSON. */
export function bootstrap({ workload, namespace, agent, tokenFile, rootsFile }: BootstrapOptions): JsonObject {
  const message = create(bootstrapPackage.BootstrapSchema, {
    node: {
      id: `${workload}.${namespace}`,
      cluster: workload,
      metadata: { workload, namespace },
    },
    admin: { address: address('127.0.0.1', ADMIN_PORT) },
    dynamicResources: {
      adsConfig: {
        apiType: core.ApiConfigSource_ApiType.DELTA_GRPC,
        transportApiVersion: core.ApiVersion.V3,
        // The node is 60 KB, and constant.
        setNodeOnFirstMessageOnly: true,
        grpcServices: [agentService(agent, tokenFile, rootsFile)],
      },
      cdsConfig: fromAgent(),
      ldsConfig: fromAgent(),
    },
    staticResources: { clusters: [agentCluster(agent)] },
    statsSinks: [metricsSink()],
    layeredRuntime: {
      layers: [{ name: 'meshrelay', layerSpecifier: { case: 'staticLayer', value: RUNTIME } }],
    },
  });
  return messageToJson(bootstrapPackage.BootstrapSchema, message);
}

/**
 * The destination of logs and metrics: the same port without TLS, where the agent identifies the sender by its source
 * address.
 */
function agentCluster(agent: string): cluster.Cluster {
  const colon = agent.lastIndexOf(':');
  const endpoint = address(agent.slice(0, colon), Number(agent.slice(colon + 1)));
  return create(cluster.ClusterSchema, {
    name: AGENT_CLUSTER,
    clusterDiscoveryType: { case: 'type', value: cluster.Cluster_DiscoveryType.STRICT_DNS },
    connectTimeout: duration(5_000),
    loadAssignment: {
      clusterName: AGENT_CLUSTER,
      endpoints: [{ lbEndpoints: [{ hostIdentifier: { case: 'endpoint', value: { address: endpoint } } }] }],
    },
    typedExtensionProtocolOptions: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': pack(httpUpstream.HttpProtocolOptionsSchema, {
        upstreamProtocolOptions: {
          case: 'explicitHttpConfig',
          value: { protocolConfig: { case: 'http2ProtocolOptions', value: {} } },
        },
      }),
    },
  });
}

/** Names without label values, and histograms once: the agent sums them over the proxies of a workload. */
function metricsSink(): metrics.StatsSink {
  return create(metrics.StatsSinkSchema, {
    name: 'envoy.stat_sinks.metrics_service',
    configType: {
      case: 'typedConfig',
      value: pack(metrics.MetricsServiceConfigSchema, {
        transportApiVersion: core.ApiVersion.V3,
        grpcService: { targetSpecifier: { case: 'envoyGrpc', value: { clusterName: AGENT_CLUSTER } } },
        emitTagsAsLabels: true,
        histogramEmitMode: metrics.HistogramEmitMode.HISTOGRAM,
      }),
    },
  });
}

/** Google's gRPC client, since it reads the token from its file whenever it needs one. */
function agentService(agent: string, tokenFile: string, rootsFile: string): core.GrpcService {
  return create(core.GrpcServiceSchema, {
    targetSpecifier: {
      case: 'googleGrpc',
      value: {
        targetUri: agent,
        statPrefix: STAT_PREFIX,
        credentialsFactoryName: FILE_CREDENTIALS,
        channelCredentials: {
          credentialSpecifier: {
            case: 'sslCredentials',
            value: { rootCerts: { specifier: { case: 'filename', value: rootsFile } } },
          },
        },
        callCredentials: [
          {
            credentialSpecifier: {
              case: 'fromPlugin',
              value: {
                name: FILE_CREDENTIALS,
                configType: {
                  case: 'typedConfig',
                  value: pack(grpcCredential.FileBasedMetadataConfigSchema, {
                    secretData: { specifier: { case: 'filename', value: tokenFile } },
                    headerKey: 'authorization',
                    headerPrefix: 'Bearer ',
                  }),
                },
              },
            },
          },
        ],
      },
    },
  });
}
