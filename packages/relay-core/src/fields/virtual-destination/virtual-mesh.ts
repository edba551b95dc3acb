/** spec.virtualMesh */
import type { VirtualDestinationField } from './field.ts';

/** Core finds the meshes that get the view. */
export const virtualMesh: VirtualDestinationField<'virtualMesh'> = { capabilities: {} };
