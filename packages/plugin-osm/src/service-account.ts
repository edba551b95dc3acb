/** ServiceAccounts: the only identities that OSM supports. */

export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** A subject of TrafficTargets and Retries. */
export function subject({ namespace, name }: ServiceAccount): Record<string, string> {
  return { kind: 'ServiceAccount', name, namespace };
}

/** A unique key per account: neither part has a slash. */
export function accountId({ namespace, name }: ServiceAccount): string {
  return `${namespace}/${name}`;
}

/** The account of a principal in a trust domain; undefined for whole namespaces, whole domains, and other domains. */
export function accountOf(principal: string, trustDomain: string): ServiceAccount | undefined {
  if (!principal.startsWith(`${trustDomain}/`)) return undefined;
  const [ns, namespace, sa, name, ...more] = principal.slice(trustDomain.length + 1).split('/');
  const exact = ns === 'ns' && sa === 'sa' && more.length === 0 && namespace !== undefined && name !== undefined;
  return exact && name !== '' && !name.includes('*') ? { namespace, name } : undefined;
}
