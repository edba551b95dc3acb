/** Istio's mesh configuration: the user's own, as YAML in a ConfigMap beside the control plane. */
import { CONFIG_MAP, type MeshFacts, type PatchRight } from '@meshrelay/relay-core';

/** Trust domains whose identities the mesh takes for its own. */
export const TRUST_DOMAIN_ALIASES = 'data.mesh:yaml/trustDomainAliases';

/** Fields we set where Settings consents. */
export const PATCHES: readonly PatchRight[] = [
  {
    kind: CONFIG_MAP,
    names: ['istio', 'istio-*'],
    fieldPaths: [TRUST_DOMAIN_ALIASES],
    consent: 'spec.patches.istio.meshConfig',
  },
];

/** The name of the ConfigMap that a mesh's control plane reads; undefined where it has none. */
export function meshConfigName({ details }: MeshFacts): string | undefined {
  const name = details['meshConfig'];
  return typeof name === 'string' ? name : undefined;
}
