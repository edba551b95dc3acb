// spec.globalAccessPolicy of a VirtualMesh
import type { SpecField } from '../../schema/field.ts';
import { oneOf } from '../../schema/scalar.ts';

/**
 * ENABLED: requests that no AccessPolicy allows are denied. DISABLED: they are allowed. MESH_DEFAULT: the mesh decides.
 * Default: MESH_DEFAULT.
 */
export type GlobalAccessPolicy = 'MESH_DEFAULT' | 'ENABLED' | 'DISABLED';

/** The mesh decides. */
export const DEFAULT_GLOBAL_ACCESS_POLICY: GlobalAccessPolicy = 'MESH_DEFAULT';

export const globalAccessPolicy: SpecField<GlobalAccessPolicy> = {
  schema: oneOf('MESH_DEFAULT', 'ENABLED', 'DISABLED'),
  default: DEFAULT_GLOBAL_ACCESS_POLICY,
  examples: ['ENABLED'],
};
