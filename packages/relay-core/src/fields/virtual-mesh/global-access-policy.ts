/** spec.globalAccessPolicy */
import type { VirtualMeshField } from './field.ts';

export const globalAccessPolicy: VirtualMeshField<'mesh.globalAccess'> = {
  capabilities: { 'mesh.globalAccess': 'spec.globalAccessPolicy' },
};
