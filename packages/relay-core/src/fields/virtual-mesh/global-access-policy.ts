/** spec.globalAccessPolicy */
import { DEFAULT_GLOBAL_ACCESS_POLICY } from '@meshrelay/api';
import type { VirtualMeshField } from './field.ts';

export const globalAccessPolicy: VirtualMeshField<'globalAccessPolicy'> = {
  capabilities: { 'mesh.globalAccess': 'spec.globalAccessPolicy' },
  view: ({ globalAccessPolicy = DEFAULT_GLOBAL_ACCESS_POLICY }) => ({ globalAccess: globalAccessPolicy }),
  reduce: (view, supports) =>
    view.globalAccess === 'MESH_DEFAULT' || supports('mesh.globalAccess')
      ? view
      : { ...view, globalAccess: 'MESH_DEFAULT' },
  effects: ({ globalAccess }) => (globalAccess === 'MESH_DEFAULT' ? [] : [['globalAccessPolicy', globalAccess]]),
};
