/** Istio's mesh configuration: the user's YAML in a ConfigMap in the control plane's namespace. */
import { CONFIG_MAP, type MeshFacts, type PatchPermission } from '@meshrelay/plugin';

/** Trust domains whose identities the mesh treats as its own. */
export const TRUST_DOMAIN_ALIASES = 'data.mesh:yaml/trustDomainAliases';

/** Entries of `extensionProviders`, which Telemetries reference, by their names. */
export const PROVIDER_PATHS: Readonly<Record<ProviderName, string>> = {
  'meshrelay-requests': 'data.mesh:yaml/extensionProviders/[meshrelay-requests]',
  'meshrelay-connections': 'data.mesh:yaml/extensionProviders/[meshrelay-connections]',
};

/** Providers that send access logs to the agent: one for HTTP, one for TCP. */
export type ProviderName = 'meshrelay-requests' | 'meshrelay-connections';

/** The field of Settings that permits patches of the mesh configuration. */
export const MESH_CONFIG_CONSENT = 'spec.patches.istio.meshConfig';

/** The fields that Meshrelay patches if Settings permits it. */
export const PATCHES: readonly PatchPermission[] = [
  {
    kind: CONFIG_MAP,
    names: ['istio', 'istio-*'],
    fieldPaths: [TRUST_DOMAIN_ALIASES, ...Object.values(PROVIDER_PATHS)],
    consent: MESH_CONFIG_CONSENT,
  },
];

/** The name of the ConfigMap that a mesh's control plane reads; undefined if it has none. */
export function meshConfigName({ details }: MeshFacts): string | undefined {
  const name = details['meshConfig'];
  return typeof name === 'string' ? name : undefined;
}
