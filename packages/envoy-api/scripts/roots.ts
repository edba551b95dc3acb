/** The source of Envoy's .proto files, and the required ones: these, and their imports. */

/**
 * The Java control plane's published API: every .proto of Envoy, xDS, validation rules and Prometheus' client model, of
 * consistent versions.
 */
export const ARTIFACT = {
  coordinates: 'io.envoyproxy.controlplane:api:1.0.49',
  sha256: 'cbac9ac918071e132c552100f6c26978346116205d8f93a2efe5050049c1cc6e',
} as const;

/**
 * Paths in the artifact. After adding one: `node packages/envoy-api/scripts/vendor-protos.ts`, then `npm run generate`.
 */
export const ROOTS: readonly string[] = [
  'envoy/service/discovery/v3/ads.proto',
  'envoy/service/accesslog/v3/als.proto',
  'envoy/service/metrics/v3/metrics_service.proto',
  'envoy/config/bootstrap/v3/bootstrap.proto',
  'envoy/config/cluster/v3/cluster.proto',
  'envoy/config/endpoint/v3/endpoint.proto',
  'envoy/config/listener/v3/listener.proto',
  'envoy/config/route/v3/route.proto',
  'envoy/config/rbac/v3/rbac.proto',
  'envoy/config/metrics/v3/metrics_service.proto',
  'envoy/config/core/v3/extension.proto',
  'envoy/config/grpc_credential/v3/file_based_metadata.proto',
  'envoy/extensions/access_loggers/file/v3/file.proto',
  'envoy/extensions/access_loggers/grpc/v3/als.proto',
  'envoy/extensions/access_loggers/stream/v3/stream.proto',
  'envoy/extensions/clusters/aggregate/v3/cluster.proto',
  'envoy/extensions/filters/http/cors/v3/cors.proto',
  'envoy/extensions/filters/http/csrf/v3/csrf.proto',
  'envoy/extensions/filters/http/fault/v3/fault.proto',
  'envoy/extensions/filters/http/header_mutation/v3/header_mutation.proto',
  'envoy/extensions/filters/http/local_ratelimit/v3/local_rate_limit.proto',
  'envoy/extensions/filters/http/on_demand/v3/on_demand.proto',
  'envoy/extensions/filters/http/rbac/v3/rbac.proto',
  'envoy/extensions/filters/http/router/v3/router.proto',
  'envoy/extensions/filters/http/wasm/v3/wasm.proto',
  'envoy/extensions/filters/http/buffer/v3/buffer.proto',
  'envoy/extensions/filters/listener/http_inspector/v3/http_inspector.proto',
  'envoy/extensions/filters/listener/original_dst/v3/original_dst.proto',
  'envoy/extensions/filters/listener/tls_inspector/v3/tls_inspector.proto',
  'envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager.proto',
  'envoy/extensions/filters/network/rbac/v3/rbac.proto',
  'envoy/extensions/filters/network/sni_cluster/v3/sni_cluster.proto',
  'envoy/extensions/filters/network/tcp_proxy/v3/tcp_proxy.proto',
  'envoy/extensions/http/early_header_mutation/header_mutation/v3/header_mutation.proto',
  'envoy/extensions/retry/host/previous_hosts/v3/previous_hosts.proto',
  'envoy/extensions/retry/priority/previous_priorities/v3/previous_priorities_config.proto',
  'envoy/extensions/transport_sockets/raw_buffer/v3/raw_buffer.proto',
  'envoy/extensions/transport_sockets/tls/v3/tls.proto',
  'envoy/extensions/transport_sockets/tls/v3/secret.proto',
  'envoy/extensions/upstreams/http/v3/http_protocol_options.proto',
  'envoy/extensions/wasm/v3/wasm.proto',
  'xds/type/v3/typed_struct.proto',
];
