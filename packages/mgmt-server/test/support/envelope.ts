/** Objects in the wire format of an agent. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { canonicalJson, groupOf } from '@meshrelay/relay-core';
import { hashOf, type ObjectEnvelope } from '@meshrelay/relay-protocol';

export function envelopeOf(object: KubeObject): ObjectEnvelope {
  const { apiVersion, kind, metadata } = object;
  const body = Buffer.from(canonicalJson(object));
  return {
    group: groupOf(apiVersion),
    version: apiVersion.slice(apiVersion.indexOf('/') + 1),
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    hash: hashOf(body),
    body,
  };
}
