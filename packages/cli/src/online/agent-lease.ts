/** The Lease in a cluster that says who takes part for it: its agent, or a replica of the server that reaches it by a kubeconfig. */
import type { KubeConnection } from '@meshrelay/kube';
import { MEMBER_LEASE } from '@meshrelay/relay-core';
import { LEASE } from './kinds.ts';

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
  readonly leaseDurationSeconds?: number;
}

/** Who holds it now, as `REPLICA_UUID`; undefined where it has no holder, or one that did not renew it in time. @throws KubeError */
export async function agentLeaseHolder(
  workload: KubeConnection,
  namespace: string,
  now: Date,
): Promise<string | undefined> {
  const lease = await workload.objects(LEASE).read({ namespace, name: MEMBER_LEASE });
  const { holderIdentity = '', renewTime = '', leaseDurationSeconds = 0 } = (lease?.spec ?? {}) as LeaseSpec;
  const ends = Date.parse(renewTime) + leaseDurationSeconds * 1000;
  return holderIdentity === '' || !(ends > now.getTime()) ? undefined : holderIdentity;
}
