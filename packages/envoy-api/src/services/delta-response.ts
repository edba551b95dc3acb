/**
 * Encodes responses of delta xDS: a response for many Envoys is encoded once, and so is a resource in many responses.
 */
import { Buffer } from 'node:buffer';
import { create, toBinary } from '@bufbuild/protobuf';
import {
  type DeltaDiscoveryResponse,
  DeltaDiscoveryResponseSchema,
  type Resource,
} from '../gen/envoy/service/discovery/v3/discovery_pb.ts';

/**
 * Cached bytes of a response, and of a resource in a response. Entries live as long as their messages, which must not
 * be changed.
 */
const responses = new WeakMap<DeltaDiscoveryResponse, Buffer>();
const known = new WeakMap<Resource, Uint8Array>();

/** Tags of the written fields: field numbers with the wire type of length-delimited fields. */
const TYPE_URL = (4 << 3) | 2;
const NONCE = (5 << 3) | 2;
const REMOVED = (6 << 3) | 2;

/**
 * The same bytes as any encoder's, except for the order of fields, which has no meaning. Must not be changed, since
 * they are shared.
 */
export function deltaResponseBytes(response: DeltaDiscoveryResponse): Buffer {
  const before = responses.get(response);
  if (before !== undefined) return before;
  const bytes = encoded(response);
  responses.set(response, bytes);
  return bytes;
}

function encoded(response: DeltaDiscoveryResponse): Buffer {
  if (hasMore(response)) {
    const rest = toBinary(DeltaDiscoveryResponseSchema, { ...response, resources: [] });
    return Buffer.concat([rest, ...response.resources.map(bytesOf)]);
  }
  const { resources, typeUrl, nonce, removedResources } = response;
  const parts = resources.map(bytesOf);
  let length = lengthOf(typeUrl) + lengthOf(nonce);
  for (const own of parts) length += own.length;
  for (const name of removedResources) length += lengthOf(name, true);
  const bytes = Buffer.allocUnsafe(length);
  let at = write(bytes, write(bytes, 0, TYPE_URL, typeUrl), NONCE, nonce);
  for (const own of parts) {
    bytes.set(own, at);
    at += own.length;
  }
  for (const name of removedResources) at = write(bytes, at, REMOVED, name, true);
  return bytes;
}

/** Fields that no response of this server has. */
function hasMore(response: DeltaDiscoveryResponse): boolean {
  const { systemVersionInfo, removedResourceNames, controlPlane, resourceErrors, $unknown } = response;
  return (
    systemVersionInfo !== '' ||
    removedResourceNames.length > 0 ||
    controlPlane !== undefined ||
    resourceErrors.length > 0 ||
    $unknown !== undefined
  );
}

/** Bytes of a field; an empty field has none, unless it is an item of a list. */
function lengthOf(text: string, inList = false): number {
  if (text === '' && !inList) return 0;
  const length = Buffer.byteLength(text);
  return 1 + varintLength(length) + length;
}

function write(bytes: Buffer, from: number, tag: number, text: string, inList = false): number {
  if (text === '' && !inList) return from;
  let at = from;
  bytes[at++] = tag;
  let length = Buffer.byteLength(text);
  for (; length > 0x7f; length >>>= 7) bytes[at++] = (length & 0x7f) | 0x80;
  bytes[at++] = length;
  return at + bytes.write(text, at);
}

function varintLength(value: number): number {
  let length = 1;
  for (let left = value >>> 7; left > 0; left >>>= 7) length++;
  return length;
}

/** A response with this field only: a reader merges two consecutive ones. */
function bytesOf(resource: Resource): Uint8Array {
  const before = known.get(resource);
  if (before !== undefined) return before;
  const alone = create(DeltaDiscoveryResponseSchema, { resources: [resource] });
  const bytes = toBinary(DeltaDiscoveryResponseSchema, alone);
  known.set(resource, bytes);
  return bytes;
}
