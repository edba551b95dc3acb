/** Trust domains: a cluster reports those of its meshes, and the administrator limits which ones they may have. */
import { type Collection, key, type MeshFacts } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { FleetState } from '../../store/fleet-state.ts';

/** Why a mesh's trust domain is rejected: the fault, and what to do. */
export interface RejectedTrustDomain {
  readonly why: string;
}

/**
 * The meshes that may not have their trust domain, by mesh key. They are members of no virtual mesh, and no rule admits
 * their identities. Otherwise a client with one cluster's credential could impersonate the identities of any other
 * cluster. If KubernetesClusters list no trust domains, none is rejected.
 */
export function refusedTrustDomains(
  graph: Graph,
  { clusters }: Pick<FleetState, 'clusters'>,
  meshes: Collection<MeshFacts>,
): Collection<RejectedTrustDomain> {
  const listing = graph.index(clusters, 'workspaces/clusters-by-trust-domain', ({ trustDomains = [] }) =>
    trustDomains.map((domain) => key(domain)),
  );
  return graph.derive('workspaces/rejected-trust-domains', meshes, ({ cluster, trustDomain }, read) => {
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
  return `it reports the trust domain ${trustDomain}, and spec.trustDomains of KubernetesCluster ${cluster} lists ${listed}; add it there if it is correct`;
}

function anothers(cluster: string, trustDomain: string, holder: string): string {
  return `it reports the trust domain ${trustDomain}, which spec.trustDomains of KubernetesCluster ${holder} lists and that of ${cluster} does not; add it there, too, if both clusters share it`;
}
