/** spec.globalAccessPolicy */
import type { VirtualMeshField } from './field.ts';

export const globalAccessPolicy: VirtualMeshField<'mesh.globalAccess'> = {
  capabilities: { 'mesh.globalAccess': 'spec.globalAccessPolicy' },
  reduce: (view, supports) =>
    view.globalAccess === 'MESH_DEFAULT' || supports('mesh.globalAccess')
      ? view
      : { ...view, globalAccess: 'MESH_DEFAULT' },
};
