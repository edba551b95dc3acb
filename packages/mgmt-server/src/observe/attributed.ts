/** Whose an entry is: the credential it came by decides, whatever it says itself. */
import type { LoggedEntry } from '@meshrelay/relay-protocol';

/** The entry with this cluster as its own, and as that of the workload that reported it; the other end stays as the agent knows it. */
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
