/** What a MeshConfig says, as far as translation needs it. */
import type { KubeObject } from '@meshrelay/api';
import type { MeshConfigFacts } from '../mesh-config.ts';

export type MeshConfig = KubeObject & {
  readonly spec?: {
    readonly traffic?: { readonly enablePermissiveTrafficPolicyMode?: boolean };
    readonly featureFlags?: { readonly enableRetryPolicy?: boolean };
  };
};

/** OSM takes an absent flag for false. */
export function meshConfigFacts({ spec }: MeshConfig): Required<MeshConfigFacts> {
  return {
    permissive: spec?.traffic?.enablePermissiveTrafficPolicyMode === true,
    retryPolicy: spec?.featureFlags?.enableRetryPolicy === true,
  };
}
