/** Sets the cluster of an entry by the credential it came with, not by its own content. */
import type { LoggedEntry } from '@meshrelay/relay-protocol';

/**
 * The entry with `cluster` as its own, and as that of the reporting workload. The other end stays as the agent reported
 * it.
 */
export function attributed(entry: LoggedEntry, cluster: string): LoggedEntry {
  const { workload, direction } = entry;
  const side = direction === 'outbound' ? 'source' : direction === 'inbound' ? 'destination' : undefined;
  return {
    ...entry,
    cluster,
    ...(workload === undefined ? {} : { workload: ofCluster(workload, cluster) }),
    ...(side === undefined || entry[side] === undefined ? {} : { [side]: ofCluster(entry[side], cluster) }),
  };
}

function ofCluster(workload: unknown, cluster: string): object {
  return { ...(typeof workload === 'object' ? workload : {}), cluster };
}
