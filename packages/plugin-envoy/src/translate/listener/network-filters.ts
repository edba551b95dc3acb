/** The last filters of a connection. */
import {
  type accessLog,
  create,
  httpConnectionManager,
  listener,
  type MessageInitShape,
  pack,
  tcpProxy,
} from '@meshrelay/envoy-api';

/** Handles HTTP. */
export function requestsTo(
  config: MessageInitShape<typeof httpConnectionManager.HttpConnectionManagerSchema>,
): listener.Filter {
  return create(listener.FilterSchema, {
    name: 'envoy.filters.network.http_connection_manager',
    configType: { case: 'typedConfig', value: pack(httpConnectionManager.HttpConnectionManagerSchema, config) },
  });
}

/** Handles TCP. */
export function bytesTo(cluster: string, statPrefix: string, loggers: accessLog.AccessLog[]): listener.Filter {
  return create(listener.FilterSchema, {
    name: 'envoy.filters.network.tcp_proxy',
    configType: {
      case: 'typedConfig',
      value: pack(tcpProxy.TcpProxySchema, {
        statPrefix,
        clusterSpecifier: { case: 'cluster', value: cluster },
        accessLog: loggers,
      }),
    },
  });
}
