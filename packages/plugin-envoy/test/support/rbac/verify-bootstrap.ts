/** One Envoy with several sets of filters: the host of a request, or the SNI of a connection, selects the set. */
import type { Json } from '../static-bootstrap.ts';

/** A set of filters under test. */
export interface Court {
  /** In lower case, without dots. */
  readonly name: string;
  readonly http: boolean;
  /** The configurations of RBAC filters, in their order; at most {@link MAX_FILTERS}. */
  readonly filters: readonly Json[];
}

/** The plugin generates at most one DENY and one ALLOW filter. */
export const MAX_FILTERS = 2;
export const REQUESTS = 'requests';
export const CONNECTIONS = 'connections';

const type = (name: string): Json => ({ '@type': `type.googleapis.com/envoy.extensions.${name}` });
const HTTP_RBAC = 'filters.http.rbac.v3.RBAC';
const POSITIONS = Array.from({ length: MAX_FILTERS }, (_, position) => position);

/** @param secrets of the server, as `Identities` creates them */
export function verifyBootstrap(courts: readonly Court[], [own, root]: readonly Json[]): Json {
  const socket = {
    name: 'envoy.transport_sockets.tls',
    typed_config: {
      ...type('transport_sockets.tls.v3.DownstreamTlsContext'),
      common_tls_context: {
        tls_certificates: [own?.['tls_certificate']],
        validation_context: root?.['validation_context'],
      },
    },
  };
  const listener = (name: string, chains: readonly Json[]): Json => ({
    name,
    address: { socket_address: { address: '127.0.0.1', port_value: 0 } },
    listener_filters: [
      // So that one listener serves all ports.
      filter('envoy.filters.listener.proxy_protocol', 'filters.listener.proxy_protocol.v3.ProxyProtocol', {}),
      filter('envoy.filters.listener.tls_inspector', 'filters.listener.tls_inspector.v3.TlsInspector', {}),
    ],
    filter_chains: chains.map((chain) => ({ ...chain, transport_socket: socket })),
  });
  const manager = {
    stat_prefix: 'verify',
    normalize_path: true,
    merge_slashes: true,
    route_config: { virtual_hosts: courts.filter(({ http }) => http).map(host) },
    http_filters: [
      ...POSITIONS.map((position) => filter(`rbac-${position}`, HTTP_RBAC, {})),
      filter('router', 'filters.http.router.v3.Router', {}),
    ],
  };
  return {
    node: { id: 'test', cluster: 'test' },
    static_resources: {
      listeners: [
        listener(REQUESTS, [
          {
            filters: [filter('manager', 'filters.network.http_connection_manager.v3.HttpConnectionManager', manager)],
          },
        ]),
        listener(CONNECTIONS, courts.filter(({ http }) => !http).map(chain)),
      ],
    },
  };
}

function host({ name, filters }: Court): Json {
  const own = filters.map((rbac, position) => [
    `rbac-${position}`,
    { ...type('filters.http.rbac.v3.RBACPerRoute'), rbac },
  ]);
  return {
    name,
    domains: [`${name}.test`],
    routes: [{ match: { prefix: '/' }, direct_response: { status: 200 } }],
    typed_per_filter_config: Object.fromEntries(own),
  };
}

function chain({ name, filters }: Court): Json {
  return {
    name,
    filter_chain_match: { server_names: [`${name}.test`] },
    filters: [
      ...filters.map((rbac, position) =>
        filter(`rbac-${position}`, 'filters.network.rbac.v3.RBAC', { stat_prefix: 'rbac', ...rbac }),
      ),
      filter('echo', 'filters.network.echo.v3.Echo', {}),
    ],
  };
}

function filter(name: string, message: string, config: Json): Json {
  return { name, typed_config: { ...type(message), ...config } };
}
