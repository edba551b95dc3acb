/** spec.sourceSelector */

import type { IdentitySelector, Report, ServiceAccountRef } from '@meshrelay/api';
import type { AccessCapabilitiesOf } from '@meshrelay/plugin';
import type { AccessContext, AccessField, Domains } from './field.ts';

/** A rule needs none of the capabilities as a whole: core drops single callers. */
export const sourceSelector: AccessField<'sourceSelector'> = {
  capabilities: {
    'access.sources.namespaces': 'spec.sourceSelector',
    'access.sources.trustDomains': 'spec.sourceSelector',
  },
  closed: { sources: { kind: 'principals', principals: [] } },
  view: ({ sourceSelector = [], unauthenticated }, context, report) => {
    if (unauthenticated === true) return undefined;
    const items = sourceSelector.length === 0 ? [{}] : sourceSelector;
    const found = items.map((selector, position) =>
      principalsOf(selector, `spec.sourceSelector[${position}]`, context),
    );
    for (const one of found.flatMap(({ reports }) => reports)) report(one);
    const principals = [...new Set(found.flatMap((one) => one.principals))].sort();
    return { sources: { kind: 'principals', principals } };
  },
  namesMeshes: ({ sourceSelector = [] }) =>
    sourceSelector.some(
      ({ kubeIdentityMatcher, kubeServiceAccountRefs }) =>
        (kubeIdentityMatcher?.clusters ?? []).length + (kubeIdentityMatcher?.trustDomains ?? []).length > 0 ||
        (kubeServiceAccountRefs?.serviceAccounts ?? []).some(({ clusterName = '' }) => clusterName !== ''),
    ),
  requires: () => [],
  remaining: () => 'none',
};

/** What a caller of a rule needs; nothing for a caller by name. */
export function sourceRequirements(principal: string): ReadonlyArray<AccessCapabilitiesOf<'sourceSelector'>> {
  if (!principal.endsWith('*')) return [];
  return principal.includes('/ns/') ? ['access.sources.namespaces'] : ['access.sources.trustDomains'];
}

interface Principals {
  readonly principals: readonly string[];
  readonly reports: readonly Report[];
}

function principalsOf(selector: IdentitySelector, field: string, context: AccessContext): Principals {
  const { kubeIdentityMatcher, kubeServiceAccountRefs } = selector;
  if (kubeIdentityMatcher === undefined && kubeServiceAccountRefs === undefined) {
    return { principals: context.domains.map((domain) => `${domain}/*`), reports: [] };
  }
  const parts: Principals[] = [];
  if (kubeIdentityMatcher !== undefined) {
    const { namespaces = [], clusters = [], trustDomains = [] } = kubeIdentityMatcher;
    const path = `${field}.kubeIdentityMatcher`;
    const ofClusters = clusters.length === 0 ? anyCluster(context) : context.inClusters(clusters, `${path}.clusters`);
    const { domains, reports } =
      trustDomains.length === 0 ? ofClusters : both(ofClusters, context.named(trustDomains, `${path}.trustDomains`));
    const endings = namespaces.length === 0 ? ['*'] : namespaces.map((namespace) => `ns/${namespace}/*`);
    parts.push({ principals: domains.flatMap((domain) => endings.map((ending) => `${domain}/${ending}`)), reports });
  }
  for (const [position, account] of (kubeServiceAccountRefs?.serviceAccounts ?? []).entries()) {
    parts.push(accountPrincipals(account, `${field}.kubeServiceAccountRefs.serviceAccounts[${position}]`, context));
  }
  return { principals: parts.flatMap((one) => one.principals), reports: parts.flatMap((one) => one.reports) };
}

function accountPrincipals(
  { name = '', namespace = '', clusterName = '' }: ServiceAccountRef,
  field: string,
  context: AccessContext,
): Principals {
  if (namespace === '' && name !== '') {
    return {
      principals: [],
      reports: [
        {
          code: 'UNSUPPORTED',
          severity: 'warning',
          field: `${field}.namespace`,
          message: `a mesh cannot match ServiceAccount ${name} in every namespace, so it is left out; set its namespace`,
        },
      ],
    };
  }
  const { domains, reports } =
    clusterName === '' ? anyCluster(context) : context.inClusters([clusterName], `${field}.clusterName`);
  const ending = namespace === '' ? '*' : name === '' ? `ns/${namespace}/*` : `ns/${namespace}/sa/${name}`;
  return { principals: domains.map((domain) => `${domain}/${ending}`), reports };
}

function anyCluster({ domains }: AccessContext): Domains {
  return { domains, reports: [] };
}

/** The intersection of both. */
function both(one: Domains, other: Domains): Domains {
  return {
    domains: one.domains.filter((domain) => other.domains.includes(domain)),
    reports: [...one.reports, ...other.reports],
  };
}
