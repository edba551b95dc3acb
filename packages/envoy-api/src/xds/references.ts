/**
 * References of a message to other resources: routes of listeners, clusters of routes, endpoints, secrets and
 * extensions.
 */
import type { DescField, Message } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import type { Any } from '@bufbuild/protobuf/wkt';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import type { Cluster } from '../gen/envoy/config/cluster/v3/cluster_pb.ts';
import { Cluster_DiscoveryType } from '../gen/envoy/config/cluster/v3/cluster_pb.ts';
import { registry } from '../messages/registry.ts';
import type { XdsKey } from './resource-key.ts';
import { XDS_TYPES, type XdsType } from './resource-type.ts';

const CLUSTER = 'cluster';
/** Fields with the name of a resource, or a list of such names, by message and field. */
const NAMING: Readonly<Record<string, XdsType>> = {
  'envoy.config.core.v3.GrpcService.EnvoyGrpc.cluster_name': CLUSTER,
  'envoy.config.core.v3.HttpUri.cluster': CLUSTER,
  'envoy.config.route.v3.RouteAction.cluster': CLUSTER,
  'envoy.config.route.v3.RouteAction.RequestMirrorPolicy.cluster': CLUSTER,
  'envoy.config.route.v3.WeightedCluster.ClusterWeight.name': CLUSTER,
  'envoy.extensions.clusters.aggregate.v3.ClusterConfig.clusters': CLUSTER,
  'envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.cluster': CLUSTER,
  'envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight.name': CLUSTER,
  'envoy.extensions.filters.network.http_connection_manager.v3.Rds.route_config_name': 'routeConfiguration',
  'envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig.name': 'secret',
};
/** Messages whose `name` is that of an extension if they configure its discovery. */
const DISCOVERED: Readonly<Record<string, string>> = {
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter': 'config_discovery',
  'envoy.config.listener.v3.Filter': 'config_discovery',
  'envoy.config.listener.v3.ListenerFilter': 'config_discovery',
};
const ANY = 'google.protobuf.Any';

/** The resources that a message references, each once, in document order. */
export function referencesOf(type: XdsType, message: Message): readonly XdsKey[] {
  const found = new Map<string, XdsKey>();
  const add = (key: XdsKey): void => void found.set(`${key.type}/${key.name}`, key);
  if (type === 'cluster') {
    const endpoints = endpointsOf(message as Cluster);
    if (endpoints !== undefined) add({ type: 'clusterLoadAssignment', name: endpoints });
  }
  // Endpoints reference nothing, and there are many of them.
  if (type !== 'clusterLoadAssignment') visit(reflect(XDS_TYPES[type].schema, message), add);
  return [...found.values()];
}

/** The name with which a cluster requests its endpoints; undefined if it does not. */
export function endpointsOf(cluster: Cluster): string | undefined {
  const { clusterDiscoveryType: kind, edsClusterConfig, name } = cluster;
  if (kind.case !== 'type' || kind.value !== Cluster_DiscoveryType.EDS) return undefined;
  return edsClusterConfig?.serviceName || name;
}

type Add = (key: XdsKey) => void;

function visit(message: ReflectMessage, add: Add): void {
  const { typeName } = message.desc;
  if (typeName === ANY) {
    const inner = unpacked(message.message as Any);
    if (inner !== undefined) visit(inner, add);
    return;
  }
  const discovery = DISCOVERED[typeName];
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    const type = NAMING[`${typeName}.${field.name}`];
    if (type !== undefined && field.fieldKind === 'scalar') add({ type, name: String(message.get(field)) });
    if (type !== undefined && field.fieldKind === 'list' && field.listKind === 'scalar') {
      for (const name of message.get(field)) add({ type, name: String(name) });
    }
    if (field.name === discovery) {
      add({ type: 'extensionConfig', name: (message.message as Message & { name: string }).name });
    }
    visitField(message, field, add);
  }
}

function visitField(message: ReflectMessage, field: DescField, add: Add): void {
  if (field.fieldKind === 'message') visit(message.get(field), add);
  if (field.fieldKind === 'list' && field.listKind === 'message') {
    for (const item of message.get(field)) visit(item as ReflectMessage, add);
  }
  if (field.fieldKind === 'map' && field.mapKind === 'message') {
    for (const item of message.get(field).values()) visit(item as ReflectMessage, add);
  }
}

/** An unknown extension references nothing. */
function unpacked(any: Any): ReflectMessage | undefined {
  const message = anyUnpack(any, registry);
  const schema = message === undefined ? undefined : registry.getMessage(message.$typeName);
  return message === undefined || schema === undefined ? undefined : reflect(schema, message);
}
