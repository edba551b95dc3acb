/** The Lease of the agent of a cluster, or of the server replica that connects to the cluster by a kubeconfig. */
import type { KubeConnection } from '@meshrelay/kube';
import { MEMBER_LEASE } from '@meshrelay/relay-core';
import { readLease } from './lease.ts';

/**
 * The current holder, as `REPLICA_UUID`; undefined without a holder, or if the holder did not renew the Lease in time.
 * @throws KubeError
 */
export async function agentLeaseHolder(
  workload: KubeConnection,
  namespace: string,
  now: Date,
): Promise<string | undefined> {
  const lease = await readLease(workload, { namespace, name: MEMBER_LEASE }, now);
  return lease?.isHeld === true ? lease.holder : undefined;
}
