/**
 * A small configuration for the Envoy of one account: a listener that logs to the agent, a route, a cluster, an
 * endpoint.
 */
import { OWNER_LABEL } from '@meshrelay/relay-core';
import { NAMESPACE } from '@meshrelay/test-cluster';

export const XDS = 'agent.meshrelay.dev/v1alpha1';
const TYPE = 'type.googleapis.com/envoy.extensions';
const source = { ads: {}, resource_api_version: 'V3', initial_fetch_timeout: '30s' };

export interface ShopConfig {
  readonly account: string;
  /** Port of the application behind it. */
  readonly port: number;
  /** Port of the agent for access logs; 0 for none. */
  readonly logTo: number;
  /** Text that the route adds to each response, to distinguish versions. */
  readonly mark: string;
  /** Uses an invalid address, so Envoy rejects the cluster. */
  readonly broken?: boolean;
}

/** An XdsConfig in the form that the server generates. */
export function shopConfig(config: ShopConfig) {
  const { account } = config;
  return {
    apiVersion: XDS,
    kind: 'XdsConfig',
    metadata: { name: `of-${account}`, namespace: NAMESPACE, labels: { [OWNER_LABEL]: NAMESPACE } },
    spec: {
      proxies: [{ namespace: 'shop', serviceAccount: account, listeners: [account], clusters: [] }],
      resources: [
        { type: 'listener', name: account, value: listener(config) },
        { type: 'virtualHost', name: `${account}/all`, value: host(config) },
        { type: 'cluster', name: account, value: cluster(config) },
      ],
    },
  };
}

function listener({ account, logTo }: ShopConfig) {
  const typed_config = {
    '@type': `${TYPE}.filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: account,
    rds: { route_config_name: account, config_source: source },
    http_filters: [{ name: 'router', typed_config: { '@type': `${TYPE}.filters.http.router.v3.Router` } }],
    ...(logTo === 0 ? {} : { access_log: [accessLog(logTo)] }),
  };
  return {
    name: account,
    address: { socket_address: { address: '127.0.0.1', port_value: 0 } },
    filter_chains: [{ filters: [{ name: 'http', typed_config }] }],
  };
}

function accessLog(port: number) {
  return {
    name: 'logs',
    typed_config: {
      '@type': `${TYPE}.access_loggers.grpc.v3.HttpGrpcAccessLogConfig`,
      common_config: {
        log_name: 'inbound',
        transport_api_version: 'V3',
        buffer_flush_interval: '0.1s',
        grpc_service: { google_grpc: { target_uri: `127.0.0.1:${port}`, stat_prefix: 'logs' } },
      },
    },
  };
}

function host({ account, mark }: ShopConfig) {
  return {
    name: 'all',
    domains: ['*'],
    response_headers_to_add: [{ header: { key: 'x-mark', value: mark } }],
    routes: [{ match: { prefix: '/' }, route: { cluster: account } }],
  };
}

function cluster({ account, port, broken = false }: ShopConfig) {
  const address = { socket_address: { address: broken ? 'no-address' : '127.0.0.1', port_value: port } };
  return {
    name: account,
    type: 'STATIC',
    connect_timeout: '5s',
    load_assignment: { cluster_name: account, endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] },
  };
}
