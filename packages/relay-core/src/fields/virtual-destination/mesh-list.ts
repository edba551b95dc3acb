/** spec.meshList */
import type { VirtualDestinationField } from './field.ts';

/** Core finds the meshes that get the view. */
export const meshList: VirtualDestinationField<'meshList'> = { capabilities: {} };
