/** Names of destinations in other clusters. */
import type { KnownDestination } from './destinations.ts';

export const DEFAULT_SUFFIX = 'global';

/** `<service>.<namespace>.svc.<cluster>.<suffix>`. */
export function federatedHostname(
  { name, namespace, cluster }: Pick<KnownDestination, 'name' | 'namespace' | 'cluster'>,
  suffix: string,
): string {
  return `${name}.${namespace}.svc.${cluster}.${suffix}`;
}

/** The pattern of all such names of one cluster, and of none of another's. */
export function namesOfCluster(cluster: string, suffix: string = DEFAULT_SUFFIX): string {
  return `*.svc.${cluster}.${suffix}`;
}
