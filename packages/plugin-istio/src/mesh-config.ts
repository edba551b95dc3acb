/** Istio's mesh configuration: the user's own, as YAML in a ConfigMap beside the control plane. */
import { CONFIG_MAP, type MeshFacts, type PatchPermission } from '@meshrelay/relay-core';

/** Trust domains whose identities the mesh takes for its own. */
export const TRUST_DOMAIN_ALIASES = 'data.mesh:yaml/trustDomainAliases';

/** Members of the list of providers that Telemetries name, by the names of the members. */
export const PROVIDER_PATHS: Readonly<Record<ProviderName, string>> = {
  'meshrelay-requests': 'data.mesh:yaml/extensionProviders/[meshrelay-requests]',
  'meshrelay-connections': 'data.mesh:yaml/extensionProviders/[meshrelay-connections]',
};

/** Providers that send access logs to the agent: of HTTP, and of bytes. */
export type ProviderName = 'meshrelay-requests' | 'meshrelay-connections';

/** The field of Settings by which they do. */
export const MESH_CONFIG_CONSENT = 'spec.patches.istio.meshConfig';

/** Fields we set where Settings consents. */
export const PATCHES: readonly PatchPermission[] = [
  {
    kind: CONFIG_MAP,
    names: ['istio', 'istio-*'],
    fieldPaths: [TRUST_DOMAIN_ALIASES, ...Object.values(PROVIDER_PATHS)],
    consent: MESH_CONFIG_CONSENT,
  },
];

/** The name of the ConfigMap that a mesh's control plane reads; undefined where it has none. */
export function meshConfigName({ details }: MeshFacts): string | undefined {
  const name = details['meshConfig'];
  return typeof name === 'string' ? name : undefined;
}
