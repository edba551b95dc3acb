/** What Istio's objects take for themselves, so that two of them are in each other's way. */
import type { KubeObject } from '@meshrelay/api';
import type { Claim, NativeObject } from '@meshrelay/relay-core';
import { DESTINATION_RULE, PEER_AUTHENTICATION, VIRTUAL_SERVICE } from './kinds.ts';

/**
 * A host has one VirtualService for the sidecars: the oldest takes it whole, whatever the others say. DestinationRules of a host are merged within
 * a namespace and shadow each other across namespaces. Of the PeerAuthentications for a whole namespace the oldest counts.
 */
export function claims(object: KubeObject | NativeObject): readonly Claim[] {
  const spec = (object as { spec?: Readonly<Record<string, unknown>> }).spec ?? {};
  const { namespace = '' } = object.metadata;
  switch (object.kind) {
    case VIRTUAL_SERVICE.kind:
      if (!forSidecars(spec['gateways'])) return [];
      return texts(spec['hosts']).map((host) => ({
        what: `requests of sidecars to ${fullName(host, namespace)}`,
        exclusive: true,
      }));
    case DESTINATION_RULE.kind:
      return texts([spec['host']]).map((host) => ({
        what: `connections to ${fullName(host, namespace)}`,
        exclusive: false,
      }));
    case PEER_AUTHENTICATION.kind:
      return spec['selector'] === undefined ? [{ what: `mutual TLS of namespace ${namespace}`, exclusive: false }] : [];
    default:
      return [];
  }
}

function forSidecars(gateways: unknown): boolean {
  const names = texts(gateways);
  return names.length === 0 || names.includes('mesh');
}

function texts(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}

/** A host without dots is a Service of the object's own namespace. */
function fullName(host: string, namespace: string): string {
  return host.includes('.') ? host : `${host}.${namespace}.svc.cluster.local`;
}
