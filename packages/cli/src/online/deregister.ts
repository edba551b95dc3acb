/** Ending the registration of a cluster, in one of three ways. */
import type { KubernetesCluster, KubernetesClusterSpec } from '@meshrelay/api';
import { type KubeConnection, meshrelayKind, Secrets } from '@meshrelay/kube';
import { CERTIFICATES_SECRET, readCertificateBook } from '@meshrelay/pki';
import { OWNER_LABEL } from '@meshrelay/relay-core';
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
  /** Asked before anything is changed, with lines that say what will be. Rejects where it must not be. */
  readonly confirm?: (lines: readonly string[]) => Promise<void>;
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
  refuseUndrainable(plan, registered);
  await plan.confirm?.(await effects(plan, registered));
  if (mode === 'drain') await drain(plan);
  // Notes who did it: when the object is gone, nobody could tell.
  else await setOnCluster(plan, cluster, { suspended: true });
  const { certificates } = await revokeCluster({ management, namespace, now }, cluster);
  const good = certificates === 1 ? '1 certificate that was' : `${certificates} certificates that were`;
  step(`its tokens and ${good} still good are revoked`);
  await management.objects(meshrelayKind('KubernetesCluster')).delete({ namespace, name: cluster });
  step(`KubernetesCluster ${namespace}/${cluster} deleted; what other clusters have because of it goes now`);
  const { spec } = registered;
  if (spec.secretName !== undefined) await deleteKubeconfig(plan, spec.secretName);
  return leftovers({ cluster, namespace, mode, spec });
}

/** A credential that nobody uses any more only waits to be stolen. One that is there already for another cluster stays. */
async function deleteKubeconfig({ management, namespace, step }: DeregisterPlan, name: string): Promise<void> {
  const others = await management.objects(meshrelayKind('KubernetesCluster')).list({ namespace });
  const user = others.find(({ spec }) => (spec as KubernetesClusterSpec).secretName === name);
  if (user !== undefined) return step(`Secret ${namespace}/${name} stays: ${user.metadata.name} is reached by it, too`);
  const secrets = new Secrets(management, namespace);
  const stored = await secrets.read(name);
  if (stored === undefined) return;
  await secrets.delete(stored);
  step(`Secret ${namespace}/${name} with its kubeconfig deleted`);
}

/** What will be done, for whoever is asked whether it may. */
async function effects({ management, namespace, cluster, mode, now }: DeregisterPlan, { spec }: KubernetesCluster) {
  const stored = await new Secrets(management, namespace).read(CERTIFICATES_SECRET);
  const live = readCertificateBook(stored?.data).live(cluster, now()).length;
  return [
    `This ends the registration of ${cluster} in namespace ${namespace} of ${management.server}:`,
    mode === 'drain'
      ? `  - removed from ${cluster}: all that was made for its policies, with the label ${OWNER_LABEL}=${namespace}`
      : `  - ${cluster} itself is left as it is (--mode ${mode})`,
    `  - revoked: ${live === 1 ? '1 certificate that is' : `${live} certificates that are`} good, and every token of ${cluster}`,
    `  - deleted: KubernetesCluster ${namespace}/${cluster}${spec.secretName === undefined ? '' : ` and Secret ${namespace}/${spec.secretName} with its kubeconfig`}`,
    `  - removed from other clusters: what they have because of ${cluster}`,
  ];
}

/** @throws InputError where nobody could drain it */
function refuseUndrainable({ mode, cluster }: DeregisterPlan, { status }: KubernetesCluster): void {
  const { state } = status ?? {};
  if (mode === 'drain' && (state === 'PENDING' || state === 'DISCONNECTED'))
    throw new InputError(
      `the agent of ${cluster} is not connected (${state}), so nothing can be removed there; connect it, or leave everything there by --mode orphan`,
    );
}

async function drain(plan: DeregisterPlan): Promise<void> {
  const { cluster, timeout, signal, step } = plan;
  await setOnCluster(plan, cluster, { draining: true });
  const drained = async (): Promise<boolean> => (await read(plan))?.status?.state === 'DRAINED';
  await waitUntil({ timeout, signal }, drained, () => {
    return `${cluster} had nothing of ours any more; it goes on draining: call this again, set spec.draining to false, or give up by --mode orphan`;
  });
  step('everything of ours is removed from it');
}

async function read({ management, namespace, cluster }: DeregisterPlan): Promise<KubernetesCluster | undefined> {
  const found = await management.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name: cluster });
  return found as KubernetesCluster | undefined;
}
