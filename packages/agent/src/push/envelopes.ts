/** Objects as they travel to the server: canonical bytes and their hash, made once. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { canonicalJson, type ResourceKind } from '@meshrelay/relay-core';
import { hashOf, type ObjectEnvelope, type ObjectKey } from '@meshrelay/relay-protocol';

/** The key an object travels under. */
export function relayKey(
  { group, version, kind }: ResourceKind,
  { namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string },
): ObjectKey {
  return { group, version, kind, namespace, name };
}

/** The object on its way. */
export function envelopeOf(kind: ResourceKind, object: KubeObject): ObjectEnvelope {
  const body = Buffer.from(canonicalJson(object));
  return { ...relayKey(kind, object.metadata), hash: hashOf(body), body };
}
