/** spec.mtlsConfig */
import type { VirtualMeshField, VirtualMeshParts } from './field.ts';

type MtlsPart = Pick<VirtualMeshParts, 'strictMtls' | 'trust' | 'intermediate'>;
type MtlsCapability = 'mesh.strictMtls' | 'mesh.trust.shared' | 'mesh.trust.limited';

export const mtlsConfig: VirtualMeshField<MtlsPart, MtlsCapability> = {
  capabilities: {
    'mesh.strictMtls': 'spec.mtlsConfig.strict',
    'mesh.trust.shared': 'spec.mtlsConfig.shared',
    'mesh.trust.limited': 'spec.mtlsConfig.limited',
  },
  view: ({ mtlsConfig: { strict = false, shared, limited } = {} }, { hasOtherTrustDomains }) => ({
    strictMtls: strict,
    trust: shared !== undefined ? 'shared' : limited !== undefined ? 'limited' : undefined,
    ...(shared === undefined ? {} : { intermediate: { ...shared, constrained: hasOtherTrustDomains } }),
  }),
  reduce: (view, supports) => ({
    ...view,
    strictMtls: view.strictMtls && supports('mesh.strictMtls'),
    trust: view.trust === undefined || supports(`mesh.trust.${view.trust}`) ? view.trust : undefined,
  }),
};
