/** spec.mtlsConfig */
import type { VirtualMeshField } from './field.ts';

export const mtlsConfig: VirtualMeshField<'mtlsConfig'> = {
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
