/** Envelopes of objects for the server: canonical bytes and their hash, computed once. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { canonicalJson, type ResourceKind } from '@meshrelay/relay-core';
import { hashOf, type ObjectEnvelope, type ObjectKey } from '@meshrelay/relay-protocol';

/** Key of the object in the relay protocol. */
export function relayKey(
  { group, version, kind }: ResourceKind,
  { namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string },
): ObjectKey {
  return { group, version, kind, namespace, name };
}

/** Envelope of the object. */
export function envelopeOf(kind: ResourceKind, object: KubeObject): ObjectEnvelope {
  const body = Buffer.from(canonicalJson(object));
  return { ...relayKey(kind, object.metadata), hash: hashOf(body), body };
}
