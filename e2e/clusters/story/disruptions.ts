/** What an operator or a failure does to running servers and agents. */
import type { RealCluster } from '../lab/real-cluster.ts';
import { rolledOut } from './fleet.ts';
import { type AGENT, REDIS, type SERVER } from './installation.ts';
import { NAMESPACE } from './names.ts';

type Elected = typeof SERVER | typeof AGENT;

/** Deletes the pod that holds the Lease. @param options of kubectl */
export async function deleteLeader(cluster: RealCluster, lease: Elected, ...options: readonly string[]): Promise<void> {
  await cluster.kubectl('-n', NAMESPACE, 'delete', 'pod', await leaderOf(cluster, lease), ...options);
}

/** Its data are lost. */
export async function restartRedis(cluster: RealCluster): Promise<void> {
  await cluster.kubectl('-n', NAMESPACE, 'rollout', 'restart', `deployment/${REDIS}`);
  await rolledOut(cluster, NAMESPACE, REDIS);
}

/**
 * Drains the leader's node: PodDisruptionBudgets keep one replica running. @returns the node, which takes no pods until
 * {@link uncordon}
 */
export async function drainLeader(cluster: RealCluster, lease: Elected): Promise<string> {
  const pod = `/api/v1/namespaces/${NAMESPACE}/pods/${await leaderOf(cluster, lease)}`;
  const node = String((await cluster.client.get(pod)).body.spec.nodeName);
  await cluster.kubectl('drain', node, '--delete-emptydir-data', '--timeout=240s');
  return node;
}

export async function uncordon(cluster: RealCluster, node: string): Promise<void> {
  await cluster.kubectl('uncordon', node);
}

async function leaderOf({ client }: RealCluster, lease: Elected): Promise<string> {
  const { body } = await client.get(`/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/${lease}`);
  return String(body.spec.holderIdentity).split('_')[0] ?? '';
}
