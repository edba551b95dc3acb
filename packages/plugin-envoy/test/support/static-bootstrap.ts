/**
 * Converts everything that an agent would serve to its Envoys into one bootstrap, so Envoy has all resources at
 * startup.
 */
import type { XdsConfigSpec, XdsResource } from '@meshrelay/api';

export type Json = Readonly<Record<string, unknown>>;

/** The part of the configuration that one Envoy has, and its addresses. */
export interface StaticOptions {
  /** Names of its listeners; omitted: all. */
  readonly listeners?: readonly string[];
  /** The port for an address in the test; undefined: unchanged. */
  readonly at?: (address: string, port: number) => number | undefined;
  /** Its secrets; omitted: it would request them. */
  readonly secrets?: readonly Json[];
}

/** Ports differ here, since one Envoy has the listeners of several workloads. */
const FIRST_PORT = 20_000;

/** A bootstrap with listeners, and all clusters, routes and endpoints of these objects. */
export function staticBootstrap(specs: readonly XdsConfigSpec[], options: StaticOptions = {}): Json {
  const resources = specs.flatMap(({ resources: all = [] }) => all);
  const ofType = (type: XdsResource['type']) =>
    new Map(resources.flatMap((one) => (one.type === type ? [[one.name, one.value] as const] : [])));
  const hosts = [...ofType('virtualHost')].sort(([a], [b]) => (a < b ? -1 : 1));
  const assignments = ofType('clusterLoadAssignment');
  const filled: Fill = { hosts, ...options };
  const required = [...ofType('listener')].filter(([name]) => options.listeners?.includes(name) ?? true);
  const listeners = required.map(([, listener], index) => ({
    ...(fill(listener, filled) as Json),
    address: socketAddress(options.listeners === undefined ? FIRST_PORT + index : 0),
  }));
  const clusters = [...ofType('cluster').values()].map((cluster) => fill(withEndpoints(cluster, assignments), filled));
  return {
    node: { id: 'test', cluster: 'test' },
    static_resources: { listeners, clusters: [...clusters, NOWHERE, ...AGENT], secrets: options.secrets ?? [] },
  };
}

/** The names of clusters that are referenced but not defined. */
export function missingClusters(specs: readonly XdsConfigSpec[]): readonly string[] {
  const resources = specs.flatMap(({ resources: all = [] }) => all);
  const known = new Set(resources.flatMap(({ type, name }) => (type === 'cluster' ? [name] : [])));
  const given = specs.flatMap(({ proxies = [] }) => proxies.flatMap(({ clusters }) => clusters));
  return given.filter((name) => !known.has(name));
}

interface Fill extends StaticOptions {
  readonly hosts: ReadonlyArray<readonly [string, unknown]>;
}

/** Inlines routes and secrets, and replaces addresses with those of the test. */
function fill(value: unknown, options: Fill): unknown {
  if (Array.isArray(value)) return value.map((member) => fill(member, options));
  if (typeof value !== 'object' || value === null) return value;
  if ('ads' in value) return FROM_AGENT;
  if ('socket_address' in value) return atTest(value as SocketAddress, options);
  const { rds, sds_config: requested, ...rest } = value as Json;
  const inside = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, fill(member, options)]));
  const secret =
    requested === undefined || options.secrets !== undefined ? {} : { sds_config: fill(requested, options) };
  if (rds === undefined) return { ...inside, ...secret };
  const { route_config_name: name } = rds as { readonly route_config_name: string };
  const own = options.hosts.filter(([host]) => host.startsWith(`${name}/`)).map(([, host]) => host);
  return { ...inside, route_config: { name, virtual_hosts: own } };
}

interface SocketAddress {
  readonly socket_address: { readonly address: string; readonly port_value: number };
}

function atTest(given: SocketAddress, { at }: StaticOptions): Json {
  const { address, port_value: port } = given.socket_address;
  const led = at?.(address, port);
  return led === undefined ? { ...given } : socketAddress(led);
}

function socketAddress(port: number): Json {
  return { socket_address: { address: '127.0.0.1', port_value: port } };
}

function withEndpoints(cluster: Json, assignments: ReadonlyMap<string, Json>): Json {
  const { eds_cluster_config: eds, ...rest } = cluster;
  if (eds === undefined) return cluster;
  const { service_name: name } = eds as { readonly service_name: string };
  const assignment = assignments.get(name);
  if (assignment === undefined) throw new Error(`cluster ${String(cluster['name'])} has no endpoints ${name}`);
  return { ...rest, type: 'STATIC', load_assignment: assignment };
}

/** Secrets are served separately: Envoy crashes when it validates those in the bootstrap. */
const FROM_AGENT: Json = {
  resource_api_version: 'V3',
  api_config_source: {
    api_type: 'GRPC',
    transport_api_version: 'V3',
    grpc_services: [{ envoy_grpc: { cluster_name: 'xds' } }],
  },
};

/** The placeholder in gateways; Envoy accepts such clusters only as static ones. */
const NOWHERE: Json = { name: 'nowhere', type: 'STATIC', load_assignment: { cluster_name: 'nowhere' } };

/** One cluster for its configuration, and one for the data that it sends. */
const AGENT: readonly Json[] = ['xds', 'meshrelay-agent'].map((name) => ({
  name,
  type: 'STATIC',
  load_assignment: { cluster_name: name },
  typed_extension_protocol_options: {
    'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
      '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
      explicit_http_config: { http2_protocol_options: {} },
    },
  },
}));
