/** OSM's MeshConfig: the user's own object, which determines whether generated objects take effect. */
import type { MeshFacts, PatchPermission, PatchRequest } from '@meshrelay/plugin';
import { MESH_CONFIG } from './kinds.ts';

/** OSM reads the object with this name in its own namespace. */
export const MESH_CONFIG_NAME = 'osm-mesh-config';

/** The MeshConfig fields that the plugin stores in a mesh's details. An absent member is unknown. */
export interface MeshConfigFacts {
  /** True: all callers may call all Services, and OSM ignores TrafficTargets. */
  readonly permissive?: boolean;
  /** False: OSM ignores Retries. */
  readonly retryPolicy?: boolean;
}

/** Whether all callers may call all Services. */
export const PERMISSIVE_MODE = 'spec.traffic.enablePermissiveTrafficPolicyMode';
/** Whether OSM uses Retries. */
export const RETRY_POLICY = 'spec.featureFlags.enableRetryPolicy';

/** The fields that Meshrelay patches if Settings permits it. */
export const PATCHES: readonly PatchPermission[] = [
  {
    kind: MESH_CONFIG,
    names: [MESH_CONFIG_NAME],
    fieldPaths: [PERMISSIVE_MODE, RETRY_POLICY],
    consent: 'spec.patches.osm.meshConfig',
  },
];

/** The known facts of a mesh's MeshConfig. */
export function meshConfigOf({ details }: MeshFacts): MeshConfigFacts {
  const permissive = details['permissive'];
  const retryPolicy = details['retryPolicy'];
  return {
    ...(typeof permissive === 'boolean' ? { permissive } : {}),
    ...(typeof retryPolicy === 'boolean' ? { retryPolicy } : {}),
  };
}

/** A patch of one field of a mesh's MeshConfig. */
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
