/** How a mesh interprets the trust domains of principals. */
import type { MeshFacts } from '@meshrelay/plugin';

export interface TrustDomains {
  readonly own: string;
  /** Domains that Istio treats as one, or may after the next change of its configuration. */
  readonly merged: readonly string[];
  /** Those of them that belong to other meshes; the remaining aliases are names of this mesh. */
  readonly others: readonly string[];
}

/** Istio reads this in principals as the mesh's own trust domain. */
export const OWN_DOMAIN = 'cluster.local';

/** For meshes that read every identity literally: most of them, so they share their rules. */
const PLAIN: TrustDomains = { own: OWN_DOMAIN, merged: [OWN_DOMAIN], others: [] };

/** @param others trust domains of other meshes that this mesh accepts, or treats as its own */
export function trustDomainsOf(
  { trustDomain, trustDomainAliases }: MeshFacts,
  others: readonly string[],
): TrustDomains {
  const merged = [...new Set([trustDomain, ...trustDomainAliases, ...others])].sort();
  return merged.join() === OWN_DOMAIN ? PLAIN : { own: trustDomain, merged, others };
}
