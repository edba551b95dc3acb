/** Trust domains: a cluster says what its meshes have, and the administrator what they may have. */
import type { Collection, Graph } from '../../graph/collection.ts';
import { key } from '../../graph/key.ts';
import type { MeshFacts } from '../../plugin/views/mod.ts';
import type { FleetState } from '../../store/fleet-state.ts';

/** Why a mesh's trust domain does not count: what is wrong, and what to do. */
export interface RejectedTrustDomain {
  readonly why: string;
}

/**
 * The meshes whose trust domain is not theirs to have, by mesh key. They are members of no virtual mesh and nobody is let in for them: whoever holds a cluster's
 * credential could otherwise pass for the identities of any other. Where KubernetesClusters list none, nobody's claim is refused.
 */
export function refusedTrustDomains(
  graph: Graph,
  { clusters }: Pick<FleetState, 'clusters'>,
  meshes: Collection<MeshFacts>,
): Collection<RejectedTrustDomain> {
  const listing = graph.index(clusters, 'authority/clusters-by-trust-domain', ({ trustDomains = [] }) =>
    trustDomains.map((domain) => key(domain)),
  );
  return graph.derive('authority/refused-trust-domains', meshes, ({ cluster, trustDomain }, read) => {
    const own = read.get(clusters, key(cluster))?.trustDomains;
    if (own?.includes(trustDomain) === true) return undefined;
    if (own !== undefined) return { why: notListed(cluster, trustDomain, own) };
    if (!read.any(listing, key(trustDomain))) return undefined;
    const [holder] = read.by(listing, key(trustDomain)).map(([, { name }]) => name);
    return { why: anothers(cluster, trustDomain, holder ?? '') };
  });
}

function notListed(cluster: string, trustDomain: string, own: readonly string[]): string {
  const listed = own.length === 0 ? 'none' : own.join(', ');
  return `it says its trust domain is ${trustDomain}, and spec.trustDomains of KubernetesCluster ${cluster} lists ${listed}; list it there if it is right`;
}

function anothers(cluster: string, trustDomain: string, holder: string): string {
  return `it says its trust domain is ${trustDomain}, which spec.trustDomains of KubernetesCluster ${holder} lists and that of ${cluster} does not; list it there too if both are to share it`;
}
