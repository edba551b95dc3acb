/** The types of resources that are served, in the order in which they are sent. */
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

/** What is particular to a type. */
export interface XdsTypeFacts {
  readonly schema: DescMessage;
  readonly typeUrl: string;
  /** Envoy asks for all there are instead of by name, and in state of the world what is not sent is removed. */
  readonly whole: boolean;
  /** Resources in one response at most: where Envoy's refusal names nobody, only one alone can be told from the others. */
  readonly together: number;
}

function facts(schema: DescMessage, whole: boolean, together: number = Number.POSITIVE_INFINITY): XdsTypeFacts {
  return { schema, typeUrl: typeUrlOf(schema), whole, together };
}

/**
 * Clusters come before what routes to them, and endpoints right after their cluster: a changed cluster serves only once its endpoints were
 * sent again. Secrets and extensions are warmed on by clusters and listeners.
 */
export const XDS_TYPES: Readonly<Record<XdsType, XdsTypeFacts>> = {
  cluster: facts(ClusterSchema, true),
  clusterLoadAssignment: facts(ClusterLoadAssignmentSchema, false),
  secret: facts(SecretSchema, false, 1),
  listener: facts(ListenerSchema, true),
  extensionConfig: facts(TypedExtensionConfigSchema, false, 1),
  routeConfiguration: facts(RouteConfigurationSchema, false),
};

/** All types, in the order of sending. */
export const XDS_ORDER: readonly XdsType[] = Object.keys(XDS_TYPES) as XdsType[];

const byUrl = new Map(XDS_ORDER.map((type) => [XDS_TYPES[type].typeUrl, type]));

/** The type Envoy means by a URL; undefined for one that is not served. */
export function xdsTypeOf(typeUrl: string): XdsType | undefined {
  return byUrl.get(typeUrl);
}
