/** Configuration as in objects: a listener, its routes, clusters with endpoints. */
import type { ShardSpec } from '../../src/xds/mod.ts';

export type Resource = NonNullable<ShardSpec['resources']>[number];

const ads = { ads: {}, resource_api_version: 'V3', initial_fetch_timeout: '5s' };

/** A different `mark` changes its content. */
export function clusterOf(name: string, mark = ''): Resource {
  const eds_cluster_config = { eds_config: ads };
  return {
    type: 'cluster',
    name,
    value: { name, type: 'EDS', connect_timeout: '5s', eds_cluster_config, alt_stat_name: mark || name },
  };
}

export function endpointsOf(name: string, port: number): Resource {
  const endpoint = { address: { socket_address: { address: '127.0.0.1', port_value: port } } };
  return {
    type: 'clusterLoadAssignment',
    name,
    value: { cluster_name: name, endpoints: [{ lb_endpoints: [{ endpoint }] }] },
  };
}

/** On a port that Envoy chooses, with routes of the same name. */
export function listenerOf(name: string): Resource {
  const typed_config = {
    '@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
    stat_prefix: name,
    rds: { route_config_name: name, config_source: ads },
    http_filters: [
      {
        name: 'envoy.filters.http.router',
        typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
      },
    ],
  };
  return {
    type: 'listener',
    name,
    value: {
      name,
      address: { socket_address: { address: '127.0.0.1', port_value: 0 } },
      filter_chains: [{ filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config }] }],
    },
  };
}

export function routesOf(name: string, cluster: string): Resource {
  const routes = [{ match: { prefix: '/' }, route: { cluster } }];
  return {
    type: 'routeConfiguration',
    name,
    value: { name, virtual_hosts: [{ name: 'all', domains: ['*'], routes }] },
  };
}
