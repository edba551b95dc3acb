/** Small configurations for streams: clusters with endpoints, one listener, its routes. */
import { createHash } from 'node:crypto';
import { messageFromJson } from '../../src/mod.ts';
import { resourceOf, XDS_TYPES, type XdsKey, type XdsResource, type XdsType, type XdsView } from '../../src/xds/mod.ts';

export const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

export function resource(type: XdsType, name: string, value: Record<string, unknown>): XdsResource {
  return resourceOf(type, name, messageFromJson(XDS_TYPES[type].schema, value as never), hash);
}

/** A cluster with EDS endpoints; a different `mark` changes its content. */
export function cluster(name: string, mark = ''): XdsResource {
  const eds = { eds_config: { ads: {}, resource_api_version: 'V3' } };
  return resource('cluster', name, { name, type: 'EDS', eds_cluster_config: eds, alt_stat_name: mark });
}

export function endpoints(name: string, port = 1): XdsResource {
  const address = { socket_address: { address: '127.0.0.1', port_value: port } };
  const value = { cluster_name: name, endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] };
  return resource('clusterLoadAssignment', name, value);
}

/** A listener whose routes have its name. */
export function listener(name: string, mark = ''): XdsResource {
  const typed_config = {
    '@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
    stat_prefix: 'in',
    rds: { route_config_name: name, config_source: { ads: {}, resource_api_version: 'V3' } },
  };
  return resource('listener', name, {
    name,
    stat_prefix: mark,
    filter_chains: [{ filters: [{ name: 'h', typed_config }] }],
  });
}

/** Routes to clusters. */
export function routes(name: string, ...clusters: readonly string[]): XdsResource {
  return resource('routeConfiguration', name, {
    name,
    virtual_hosts: clusters.map((each) => ({
      name: each,
      domains: [each],
      routes: [{ match: { prefix: '/' }, route: { cluster: each } }],
    })),
  });
}

/** A view that a test modifies. */
export class WrittenView implements XdsView {
  readonly #all = new Map<string, XdsResource>();

  /** @returns the keys of changed resources */
  put(...resources: readonly XdsResource[]): XdsKey[] {
    for (const each of resources) this.#all.set(`${each.type}/${each.name}`, each);
    return resources.map(({ type, name }) => ({ type, name }));
  }

  remove(type: XdsType, name: string): XdsKey[] {
    this.#all.delete(`${type}/${name}`);
    return [{ type, name }];
  }

  get(type: XdsType, name: string): XdsResource | undefined {
    return this.#all.get(`${type}/${name}`);
  }

  *listed(type: XdsType): Iterable<string> {
    for (const each of this.#all.values()) if (each.type === type && this.isListed(type, each.name)) yield each.name;
  }

  /** Those named lazy… are sent only on request. */
  isListed(type: XdsType, name: string): boolean {
    return XDS_TYPES[type].whole && !name.startsWith('lazy') && this.get(type, name) !== undefined;
  }
}
