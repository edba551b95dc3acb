/** OSM's MeshConfig: the user's own object, which decides whether what we write is in force. */
import type { MeshFacts, PatchPermission, PatchRequest } from '@meshrelay/relay-core';
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

/** Whether everyone may call everyone. */
export const PERMISSIVE_MODE = 'spec.traffic.enablePermissiveTrafficPolicyMode';
/** Whether Retries are heeded. */
export const RETRY_POLICY = 'spec.featureFlags.enableRetryPolicy';

/** Fields we set where Settings consents. */
export const PATCHES: readonly PatchPermission[] = [
  {
    kind: MESH_CONFIG,
    names: [MESH_CONFIG_NAME],
    fieldPaths: [PERMISSIVE_MODE, RETRY_POLICY],
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

/** A field of a mesh's MeshConfig. */
export function meshConfigPatch(
  { namespace, cluster }: MeshFacts,
  fieldPath: typeof PERMISSIVE_MODE | typeof RETRY_POLICY,
  required: boolean,
  current: boolean | undefined,
): Pick<PatchRequest, 'object' | 'fieldPath' | 'operation' | 'current'> {
  return {
    object: { cluster, kind: MESH_CONFIG, namespace, name: MESH_CONFIG_NAME },
    fieldPath,
    operation: { set: required },
    ...(current === undefined ? {} : { current }),
  };
}
