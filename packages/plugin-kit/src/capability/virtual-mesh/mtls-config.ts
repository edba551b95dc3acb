import type { MtlsConfig } from '@meshrelay/api';
import type { Probe } from '../probe.ts';
import { also, type VirtualMeshFieldSamples } from './field.ts';

const certificates = (mtlsConfig: MtlsConfig): Probe => ({
  ...also({ mtlsConfig }),
  supportedBy: 'certificates, not by objects of the mesh',
});

export const mtlsConfig: VirtualMeshFieldSamples<'mtlsConfig'> = {
  probes: {
    'mesh.strictMtls': also({ mtlsConfig: { strict: true } }),
    'mesh.trust.shared': certificates({ shared: {} }),
    'mesh.trust.limited': certificates({ limited: {} }),
  },
};
