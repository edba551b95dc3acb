/** Decodes requests of delta xDS. Nearly all of them only acknowledge a response: one per Envoy and change. */
import type { Buffer } from 'node:buffer';
import { fromBinary } from '@bufbuild/protobuf';
import {
  type DeltaDiscoveryRequest,
  DeltaDiscoveryRequestSchema,
} from '../gen/envoy/service/discovery/v3/discovery_pb.ts';

/** Tags of the fields of an acknowledgement: field numbers with the wire type of length-delimited fields. */
const TYPE_URL = (2 << 3) | 2;
const RESPONSE_NONCE = (6 << 3) | 2;
/** One-byte lengths end before this; so does ASCII. */
const LONG = 0x80;

/** The same message as the general decoder's. @throws its errors for malformed bytes */
export function deltaRequestOf(bytes: Buffer): DeltaDiscoveryRequest {
  return acknowledgementOf(bytes) ?? fromBinary(DeltaDiscoveryRequestSchema, bytes);
}

/** Undefined for requests with other fields, with long or non-ASCII texts, and for malformed ones. */
function acknowledgementOf(bytes: Buffer): DeltaDiscoveryRequest | undefined {
  let [typeUrl, responseNonce] = ['', ''];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at];
    const length = bytes[at + 1] ?? LONG;
    const begin = at + 2;
    at = begin + length;
    if (length >= LONG || at > bytes.length || !isAscii(bytes, begin, at)) return undefined;
    if (tag === TYPE_URL) typeUrl = bytes.toString('latin1', begin, at);
    else if (tag === RESPONSE_NONCE) responseNonce = bytes.toString('latin1', begin, at);
    else return undefined;
  }
  return {
    $typeName: 'envoy.service.discovery.v3.DeltaDiscoveryRequest',
    typeUrl,
    resourceNamesSubscribe: [],
    resourceNamesUnsubscribe: [],
    resourceLocatorsSubscribe: [],
    resourceLocatorsUnsubscribe: [],
    initialResourceVersions: {},
    responseNonce,
  };
}

function isAscii(bytes: Uint8Array, begin: number, end: number): boolean {
  for (let at = begin; at < end; at++) if ((bytes[at] as number) >= LONG) return false;
  return true;
}
