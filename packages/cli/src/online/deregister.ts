/** Ending the registration of a cluster, in one of three ways. */
import type { KubernetesCluster, KubernetesClusterSpec } from '@meshrelay/api';
import { type KubeConnection, ourKind, Secrets } from '@meshrelay/kube';
import { InputError } from '../problem.ts';
import { leftovers } from './leftovers.ts';
import { revokeCluster } from './revoke-cluster.ts';
import { setOnCluster } from './steer.ts';
import { waitUntil } from './wait-until.ts';

/**
 * - `drain`: everything of ours is removed from the cluster first.
 * - `orphan`: what the cluster has stays as it is.
 * - `force`: as orphan, for a cluster that will not come back: nothing is waited for.
 */
export type DeregisterMode = 'drain' | 'orphan' | 'force';

export interface DeregisterPlan {
  readonly management: KubeConnection;
  readonly namespace: string;
  readonly cluster: string;
  readonly mode: DeregisterMode;
  /** Milliseconds that draining may take. */
  readonly timeout: number;
  /** Gives up waiting; the cluster goes on draining. */
  readonly signal?: AbortSignal;
  readonly now: () => Date;
  /** Told of each step that is done. */
  readonly step: (text: string) => void;
}

/**
 * Ends it, in this order: outputs, identity, registration, and the server's credential for the cluster.
 * @returns what stays in the cluster, for the user
 * @throws InputError with what to do next
 */
export async function deregisterCluster(plan: DeregisterPlan): Promise<readonly string[]> {
  const { management, namespace, cluster, mode, now, step } = plan;
  const registered = await read(plan);
  if (registered === undefined)
    throw new InputError(`cluster ${cluster} is not registered; meshctl cluster list shows those that are`);
  if (mode === 'drain') await drain(plan, registered);
  // Notes who did it: when the object is gone, nobody could tell.
  else await setOnCluster(plan, cluster, { suspended: true });
  const { certificates } = await revokeCluster({ management, namespace, now }, cluster);
  step(`its tokens and ${certificates} certificates that were still good are revoked`);
  await management.objects(ourKind('KubernetesCluster')).delete({ namespace, name: cluster });
  step(`KubernetesCluster ${namespace}/${cluster} deleted; what other clusters have because of it goes now`);
  const { spec } = registered;
  if (spec.secretName !== undefined) await deleteKubeconfig(plan, spec.secretName);
  return leftovers({ cluster, namespace, mode, spec });
}

/** A credential that nobody uses any more only waits to be stolen. One that is there already for another cluster stays. */
async function deleteKubeconfig({ management, namespace, step }: DeregisterPlan, name: string): Promise<void> {
  const others = await management.objects(ourKind('KubernetesCluster')).list({ namespace });
  const user = others.find(({ spec }) => (spec as KubernetesClusterSpec).secretName === name);
  if (user !== undefined) return step(`Secret ${namespace}/${name} stays: ${user.metadata.name} is reached by it, too`);
  const secrets = new Secrets(management, namespace);
  const stored = await secrets.read(name);
  if (stored === undefined) return;
  await secrets.delete(stored);
  step(`Secret ${namespace}/${name} with its kubeconfig deleted`);
}

async function drain(plan: DeregisterPlan, { status }: KubernetesCluster): Promise<void> {
  const { cluster, timeout, signal, step } = plan;
  const { state } = status ?? {};
  if (state === 'PENDING' || state === 'DISCONNECTED')
    throw new InputError(
      `the agent of ${cluster} is not connected (${state}), so nothing can be removed there; connect it, or leave everything there by --mode orphan`,
    );
  await setOnCluster(plan, cluster, { draining: true });
  const drained = async (): Promise<boolean> => (await read(plan))?.status?.state === 'DRAINED';
  await waitUntil({ timeout, signal }, drained, () => {
    return `${cluster} had nothing of ours any more; it goes on draining: call this again, set spec.draining to false, or give up by --mode orphan`;
  });
  step('everything of ours is removed from it');
}

async function read({ management, namespace, cluster }: DeregisterPlan): Promise<KubernetesCluster | undefined> {
  const found = await management.objects(ourKind('KubernetesCluster')).read({ namespace, name: cluster });
  return found as KubernetesCluster | undefined;
}
