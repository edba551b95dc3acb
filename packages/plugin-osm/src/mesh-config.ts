/** OSM's MeshConfig: the user's own object, which decides whether what we write is in force. */
import type { MeshFacts, PatchRight } from '@meshrelay/relay-core';
import { MESH_CONFIG } from './kinds.ts';

/** OSM reads the one object of this name in its own namespace. */
export const MESH_CONFIG_NAME = 'osm-mesh-config';

/** What the plugin remembers of it in a mesh's details. An absent member is not known. */
export interface MeshConfigFacts {
  /** True: everyone may call everyone, and TrafficTargets are ignored. */
  readonly permissive?: boolean;
  /** False: Retries are ignored. */
  readonly retryPolicy?: boolean;
}

/** Fields we would set where Settings consents. */
export const PATCHES: readonly PatchRight[] = [
  {
    kind: MESH_CONFIG,
    fieldPaths: ['spec.traffic.enablePermissiveTrafficPolicyMode', 'spec.featureFlags.enableRetryPolicy'],
    consent: 'spec.patches.osm.meshConfig',
  },
];

/** What is known of the MeshConfig of a mesh. */
export function meshConfigOf({ details }: MeshFacts): MeshConfigFacts {
  const permissive = details['permissive'];
  const retryPolicy = details['retryPolicy'];
  return {
    ...(typeof permissive === 'boolean' ? { permissive } : {}),
    ...(typeof retryPolicy === 'boolean' ? { retryPolicy } : {}),
  };
}

/** What the user is to do to have one field of the MeshConfig set. */
export function patchCommand(
  { namespace, cluster }: MeshFacts,
  section: string,
  field: string,
  value: boolean,
): string {
  const patch = JSON.stringify({ spec: { [section]: { [field]: value } } });
  return `in cluster ${cluster}, run kubectl patch meshconfig ${MESH_CONFIG_NAME} -n ${namespace} --type merge -p '${patch}'`;
}
