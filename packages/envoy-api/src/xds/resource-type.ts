/** The served resource types, in sending order. */
import type { DescMessage } from '@bufbuild/protobuf';
import { ClusterSchema } from '../gen/envoy/config/cluster/v3/cluster_pb.ts';
import { TypedExtensionConfigSchema } from '../gen/envoy/config/core/v3/extension_pb.ts';
import { ClusterLoadAssignmentSchema } from '../gen/envoy/config/endpoint/v3/endpoint_pb.ts';
import { ListenerSchema } from '../gen/envoy/config/listener/v3/listener_pb.ts';
import { RouteConfigurationSchema } from '../gen/envoy/config/route/v3/route_pb.ts';
import { SecretSchema } from '../gen/envoy/extensions/transport_sockets/tls/v3/secret_pb.ts';
import { typeUrlOf } from '../messages/any.ts';

/** The types of XdsConfig, and secrets, which are in no object. */
export type XdsType =
  | 'cluster'
  | 'clusterLoadAssignment'
  | 'secret'
  | 'listener'
  | 'extensionConfig'
  | 'routeConfiguration';

/** Properties of a type. */
export interface XdsTypeFacts {
  readonly schema: DescMessage;
  readonly typeUrl: string;
  /** Envoy requests all resources instead of names, and in state of the world it removes those that are not sent. */
  readonly whole: boolean;
  /**
   * Maximum number of resources in a response: if Envoy's rejection names none, only a single one can be identified.
   */
  readonly together: number;
}

function facts(schema: DescMessage, whole: boolean, together: number = Number.POSITIVE_INFINITY): XdsTypeFacts {
  return { schema, typeUrl: typeUrlOf(schema), whole, together };
}

/**
 * Clusters come before routes to them, and endpoints directly after their cluster: a changed cluster is active only
 * once its endpoints were sent again. Clusters and listeners warm on secrets and extensions.
 */
export const XDS_TYPES: Readonly<Record<XdsType, XdsTypeFacts>> = {
  cluster: facts(ClusterSchema, true),
  clusterLoadAssignment: facts(ClusterLoadAssignmentSchema, false),
  secret: facts(SecretSchema, false, 1),
  listener: facts(ListenerSchema, true),
  extensionConfig: facts(TypedExtensionConfigSchema, false, 1),
  routeConfiguration: facts(RouteConfigurationSchema, false),
};

/** All types, in sending order. */
export const XDS_ORDER: readonly XdsType[] = Object.keys(XDS_TYPES) as XdsType[];

const byUrl = new Map(XDS_ORDER.map((type) => [XDS_TYPES[type].typeUrl, type]));

/** The type of Envoy's type URL; undefined for one that is not served. */
export function xdsTypeOf(typeUrl: string): XdsType | undefined {
  return byUrl.get(typeUrl);
}
