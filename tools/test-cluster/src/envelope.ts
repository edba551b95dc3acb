/** Outputs as the server sends them. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { canonicalJson, groupOf } from '@meshrelay/relay-core';
import { hashOf, type ObjectEnvelope, type ObjectKey } from '@meshrelay/relay-protocol';

export function keyOf({ apiVersion, kind, metadata: { name, namespace = '' } }: KubeObject): ObjectKey {
  const group = groupOf(apiVersion);
  return { group, version: apiVersion.slice(group === '' ? 0 : group.length + 1), kind, namespace, name };
}

export function envelope(object: KubeObject): ObjectEnvelope {
  const body = Buffer.from(canonicalJson(object));
  return { ...keyOf(object), hash: hashOf(body), body };
}
