/**
 * Sources of AuthorizationPolicies: the identities that a rule means, and no others. Istio writes a principal that names an account of the mesh's own trust domain, or of
 * one of its aliases, anew for each of them all; and it takes `cluster.local` there for the mesh's own, whatever that is. Principals of a whole trust domain or namespace it
 * leaves as they are. So where a rule means accounts of some of these domains, the others are excluded.
 */
import type { MeshFacts } from '@meshrelay/relay-core';
import { present } from '../present.ts';

/** How a mesh takes trust domains. */
export interface TrustDomains {
  readonly own: string;
  /** Those that are one to Istio, or may be by the next edit of its configuration. */
  readonly merged: readonly string[];
  /** Those of them that are other meshes': what else is an alias is a name of the mesh's own. */
  readonly others: readonly string[];
}

/** In principals, Istio takes this for the mesh's own trust domain. */
const POINTER = 'cluster.local';

/** Of meshes that read every identity as it is written: most, and their rules are the same. */
const PLAIN: TrustDomains = { own: POINTER, merged: [POINTER], others: [] };

/** @param others trust domains of other meshes that it accepts, or takes for its own */
export function trustDomainsOf(
  { trustDomain, trustDomainAliases }: MeshFacts,
  others: readonly string[],
): TrustDomains {
  const merged = [...new Set([trustDomain, ...trustDomainAliases, ...others])].sort();
  return merged.join() === POINTER ? PLAIN : { own: trustDomain, merged, others };
}

/** One for each set of trust domains that are to be excluded. */
export function sourcesOf(
  principals: readonly string[],
  { own, merged, others }: TrustDomains,
): ReadonlyArray<Record<string, unknown>> {
  const isRewritten = (domain: string): boolean => domain === POINTER || merged.includes(domain);
  const domainsOfAccounts = new Map<string, Set<string>>();
  for (const { domain, account } of principals.map(partsOf)) {
    if (account === undefined || !isRewritten(domain)) continue;
    domainsOfAccounts.set(account, (domainsOfAccounts.get(account) ?? new Set()).add(domain));
  }
  const byExcluded = new Map<string, { readonly principals: string[]; readonly excluded: readonly string[] }>();
  for (const principal of principals) {
    const { domain, account = '' } = partsOf(principal);
    const meant = isRewritten(domain) ? domainsOfAccounts.get(account) : undefined;
    const excluded = meant === undefined ? [] : (meant.has(own) ? others : merged).filter((other) => !meant.has(other));
    const id = JSON.stringify(excluded);
    const group = byExcluded.get(id) ?? { principals: [], excluded };
    group.principals.push(principal);
    byExcluded.set(id, group);
  }
  return [...byExcluded.values()].map(({ principals: meant, excluded }) =>
    present({ principals: meant, notPrincipals: excluded.map((domain) => `${domain}/*`) }),
  );
}

/** The account as `ns/<namespace>/sa/<name>`; undefined where the principal is for more than one. */
function partsOf(principal: string): { readonly domain: string; readonly account?: string } {
  const [domain = '', ...parts] = principal.split('/');
  return parts.length === 4 ? { domain, account: parts.join('/') } : { domain };
}
