/** Bootstrap of an Envoy as a proxy of Istio: its identity, and the addresses of istiod and of its certificates. */
import type { LabPod } from './pod-plan.ts';

interface Place {
  readonly address: string;
  readonly port: number;
}

/** What istiod must know about a proxy's pod. */
export type ProxyIdentity = Omit<LabPod, 'admin' | 'proxy' | 'exposed' | 'ports'>;

/** As plain data with Envoy's field names. */
export function proxyBootstrap(
  pod: ProxyIdentity,
  { istiod, secrets }: { readonly istiod: Place; readonly secrets: Place },
): Readonly<Record<string, unknown>> {
  return {
    node: {
      id: proxyId(pod),
      cluster: `${pod.labels['app'] ?? pod.name}.${pod.namespace}`,
      locality: pod.locality,
      metadata: metadataOf(pod),
    },
    dynamic_resources: {
      lds_config: { ads: {}, initial_fetch_timeout: '0s', resource_api_version: 'V3' },
      cds_config: { ads: {}, initial_fetch_timeout: '0s', resource_api_version: 'V3' },
      ads_config: {
        api_type: 'GRPC',
        transport_api_version: 'V3',
        set_node_on_first_message_only: true,
        grpc_services: [{ envoy_grpc: { cluster_name: 'xds-grpc' } }],
      },
    },
    static_resources: { clusters: [http2Cluster('xds-grpc', istiod), http2Cluster('sds-grpc', secrets)] },
    layered_runtime: {
      layers: [{ name: 'static', static_layer: { 're2.max_program_size.error_level': 32_768 } }],
    },
  };
}

/** The name by which istiod identifies a proxy of its cluster. */
function proxyId({ gateway, address, name, namespace }: ProxyIdentity): string {
  return `${gateway ? 'router' : 'sidecar'}~${address}~${name}.${namespace}~${namespace}.svc.cluster.local`;
}

function metadataOf({
  name,
  namespace,
  labels,
  annotations,
  account,
  address,
  node,
  gateway,
  ...pod
}: ProxyIdentity): object {
  const network = labels['topology.istio.io/network'];
  return {
    CLUSTER_ID: pod.cluster,
    NAMESPACE: namespace,
    NAME: name,
    LABELS: labels,
    ANNOTATIONS: annotations,
    SERVICE_ACCOUNT: account,
    INSTANCE_IPS: address,
    NODE_NAME: node,
    WORKLOAD_NAME: labels['app'] ?? name,
    ISTIO_VERSION: '1.32.0',
    MESH_ID: pod.trustDomain,
    PROXY_CONFIG: {},
    ...(gateway ? {} : { INTERCEPTION_MODE: 'REDIRECT' }),
    ...(network === undefined ? {} : { NETWORK: network }),
    ...(pod.resolvesMeshNames ? { DNS_CAPTURE: 'true' } : {}),
  };
}

function http2Cluster(name: string, { address, port }: Place): object {
  return {
    name,
    type: 'STATIC',
    connect_timeout: '5s',
    typed_extension_protocol_options: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
        '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
        explicit_http_config: { http2_protocol_options: {} },
      },
    },
    load_assignment: {
      cluster_name: name,
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address, port_value: port } } } }] }],
    },
  };
}
