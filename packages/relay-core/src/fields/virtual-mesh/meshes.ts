/** spec.meshes */
import type { VirtualMeshField } from './field.ts';

/** Core finds the members. */
export const meshes: VirtualMeshField<'meshes'> = { capabilities: {}, effects: () => [] };
