/** Names of destinations in other clusters. */
import type { KnownDestination } from '../inventory/mod.ts';

/** `<service>.<namespace>.svc.<cluster>.<suffix>`. */
export function federatedHostname(
  { name, namespace, cluster }: Pick<KnownDestination, 'name' | 'namespace' | 'cluster'>,
  suffix: string,
): string {
  return `${name}.${namespace}.svc.${cluster}.${suffix}`;
}

/** The pattern of all such names of one cluster, and of no other cluster. */
export function namesOfCluster(cluster: string, suffix: string): string {
  return `*.svc.${cluster}.${suffix}`;
}
