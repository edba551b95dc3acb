/** The fields of a MeshConfig that translation needs. */
import type { KubeObject } from '@meshrelay/plugin';
import type { MeshConfigFacts } from '../mesh-config.ts';

export type MeshConfig = KubeObject & {
  readonly spec?: {
    readonly traffic?: { readonly enablePermissiveTrafficPolicyMode?: boolean };
    readonly featureFlags?: { readonly enableRetryPolicy?: boolean };
  };
};

/** OSM reads an absent flag as false. */
export function meshConfigFacts({ spec }: MeshConfig): Required<MeshConfigFacts> {
  return {
    permissive: spec?.traffic?.enablePermissiveTrafficPolicyMode === true,
    retryPolicy: spec?.featureFlags?.enableRetryPolicy === true,
  };
}
