/** Responses of delta xDS as bytes: a resource that goes to many Envoys is encoded once. */
import { Buffer } from 'node:buffer';
import { create, toBinary } from '@bufbuild/protobuf';
import {
  type DeltaDiscoveryResponse,
  DeltaDiscoveryResponseSchema,
  type Resource,
} from '../gen/envoy/service/discovery/v3/discovery_pb.ts';

/** The bytes that a resource is in a response. Messages are kept as long as somebody else keeps them, and must not be changed. */
const known = new WeakMap<Resource, Uint8Array>();

/** The same bytes as any encoder's, but for the order of fields, which means nothing. */
export function deltaResponseBytes(response: DeltaDiscoveryResponse): Buffer {
  const rest = toBinary(DeltaDiscoveryResponseSchema, { ...response, resources: [] });
  return Buffer.concat([rest, ...response.resources.map(bytesOf)]);
}

/** A response that holds nothing else: of two in a row, a reader makes one. */
function bytesOf(resource: Resource): Uint8Array {
  const before = known.get(resource);
  if (before !== undefined) return before;
  const alone = create(DeltaDiscoveryResponseSchema, { resources: [resource] });
  const bytes = toBinary(DeltaDiscoveryResponseSchema, alone);
  known.set(resource, bytes);
  return bytes;
}
