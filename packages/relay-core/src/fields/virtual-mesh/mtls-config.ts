/** spec.mtlsConfig */
import type { VirtualMeshSpec } from '@meshrelay/api';
import type { VirtualMeshField } from './field.ts';

export const mtlsConfig: VirtualMeshField<'mtlsConfig'> = {
  capabilities: {
    'mesh.strictMtls': 'spec.mtlsConfig.strict',
    'mesh.trust.shared': 'spec.mtlsConfig.shared',
    'mesh.trust.limited': 'spec.mtlsConfig.limited',
  },
  view: ({ mtlsConfig = {} }, { hasOtherTrustDomains }) => ({
    strictMtls: requiresMtls({ mtlsConfig }),
    trust: mtlsConfig.shared !== undefined ? 'shared' : mtlsConfig.limited !== undefined ? 'limited' : undefined,
    ...(mtlsConfig.shared === undefined
      ? {}
      : { intermediate: { ...mtlsConfig.shared, constrained: hasOtherTrustDomains } }),
  }),
  reduce: (view, supports) => ({
    ...view,
    strictMtls: view.strictMtls && supports('mesh.strictMtls'),
    trust: view.trust === undefined || supports(`mesh.trust.${view.trust}`) ? view.trust : undefined,
  }),
  effects: ({ strictMtls, trust }) => [
    ...(trust === undefined ? [] : [['mtlsConfig', trust] as const]),
    ...(strictMtls ? [['mtlsConfig.strict', strictMtls] as const] : []),
  ],
};

/** Whether members accept only mutual TLS. */
export function requiresMtls({ mtlsConfig }: Pick<VirtualMeshSpec, 'mtlsConfig'>): boolean {
  return mtlsConfig?.strict ?? false;
}
