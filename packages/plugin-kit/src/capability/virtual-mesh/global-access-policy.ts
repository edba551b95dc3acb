import { also, type VirtualMeshFieldSamples } from './field.ts';

export const globalAccessPolicy: VirtualMeshFieldSamples<'globalAccessPolicy'> = {
  probes: { 'mesh.globalAccess': also({ globalAccessPolicy: 'ENABLED' }) },
};
