/**
 * Sources of AuthorizationPolicies: exactly the identities that a rule means. Istio expands a principal with an account
 * of the mesh's own trust domain, or of an alias, to all of these domains. It also reads `cluster.local` as the mesh's
 * own trust domain. Principals for a whole trust domain or namespace are not expanded. So if a rule means accounts of
 * some of these domains only, the others are excluded.
 */
import type { AccessRuleView } from '@meshrelay/plugin';
import { present } from '../../present.ts';
import type { AccessField } from './field.ts';
import { OWN_DOMAIN, type TrustDomains } from './trust-domains.ts';

/** A source with an empty list would be written as an empty source, which Istio matches with all callers. */
export function isForSomeone({ sources }: AccessRuleView): boolean {
  return sources.kind === 'anyone' || sources.principals.length > 0;
}

export const sourceSelector: AccessField<'sourceSelector'> = {
  capabilities: { 'access.sources.namespaces': 'native', 'access.sources.trustDomains': 'native' },
  rule: ({ sources }, trust) =>
    sources.kind === 'anyone' ? {} : { from: sourcesOf(sources.principals, trust).map((source) => ({ source })) },
};

/** One source for each set of excluded trust domains. */
function sourcesOf(
  principals: readonly string[],
  { own, merged, others }: TrustDomains,
): ReadonlyArray<Record<string, unknown>> {
  const isRewritten = (domain: string): boolean => domain === OWN_DOMAIN || merged.includes(domain);
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

/** The account as `ns/<namespace>/sa/<name>`; undefined if the principal matches more than one. */
function partsOf(principal: string): { readonly domain: string; readonly account?: string } {
  const [domain = '', ...parts] = principal.split('/');
  return parts.length === 4 ? { domain, account: parts.join('/') } : { domain };
}
