/** spec.mtlsConfig */
import type { VirtualMeshField } from './field.ts';

type MtlsCapability = 'mesh.strictMtls' | 'mesh.trust.shared' | 'mesh.trust.limited';

export const mtlsConfig: VirtualMeshField<MtlsCapability> = {
  capabilities: {
    'mesh.strictMtls': 'spec.mtlsConfig.strict',
    'mesh.trust.shared': 'spec.mtlsConfig.shared',
    'mesh.trust.limited': 'spec.mtlsConfig.limited',
  },
};
