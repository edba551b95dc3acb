/** The Lease in a cluster that says who takes part for it: its agent, or a replica of the server that reaches it by a kubeconfig. */
import type { KubeConnection } from '@meshrelay/kube';
import { MEMBER_LEASE } from '@meshrelay/relay-core';
import { readLease } from './lease.ts';

/** Who holds it now, as `REPLICA_UUID`; undefined where it has no holder, or one that did not renew it in time. @throws KubeError */
export async function agentLeaseHolder(
  workload: KubeConnection,
  namespace: string,
  now: Date,
): Promise<string | undefined> {
  const lease = await readLease(workload, { namespace, name: MEMBER_LEASE }, now);
  return lease?.isHeld === true ? lease.holder : undefined;
}
