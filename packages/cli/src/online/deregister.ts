/** Ends the registration of a cluster, in one of three modes. */

import type { KubernetesCluster, KubernetesClusterSpec } from '@meshrelay/api';
import { type KubeConnection, meshrelayKind, Secrets } from '@meshrelay/kube';
import { CERTIFICATES_SECRET, readCertificateBook } from '@meshrelay/pki';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';
import type { DeregisterMode } from './deregister-mode.ts';
import { leftovers } from './leftovers.ts';
import { revokeCluster } from './revoke-cluster.ts';
import { setOnCluster } from './steer.ts';
import { waitUntil } from './wait-until.ts';

export interface DeregisterPlan {
  readonly management: KubeConnection;
  readonly namespace: string;
  readonly cluster: string;
  readonly mode: DeregisterMode;
  /** Timeout of draining, in milliseconds. */
  readonly timeout: number;
  /** Stops waiting; the cluster continues to drain. */
  readonly signal?: AbortSignal;
  readonly now: () => Date;
  /** Called before any change, with a description of the changes. Rejects to prevent them. */
  readonly confirm?: (lines: readonly string[]) => Promise<void>;
  /** Called after each step. */
  readonly step: (text: string) => void;
}

/**
 * Ends the registration in this order: outputs, identity, registration, and the server's credential for the cluster.
 * @returns a description for the user of the objects that stay in the cluster
 * @throws InputError with the next action
 */
export async function deregisterCluster(plan: DeregisterPlan): Promise<readonly string[]> {
  const { management, namespace, cluster, mode, now, step } = plan;
  const registered = await read(plan);
  if (registered === undefined)
    throw new InputError(`cluster ${cluster} is not registered; meshctl cluster list shows the registered clusters`);
  refuseUndrainable(plan, registered);
  await plan.confirm?.(await effects(plan, registered));
  if (mode === 'drain') await drain(plan);
  // Records the requester, which would be unknown after the object is deleted.
  else await setOnCluster(plan, cluster, { suspended: true });
  const { certificates } = await revokeCluster({ management, namespace, now }, cluster);
  const good = certificates === 1 ? '1 valid certificate' : `${certificates} valid certificates`;
  step(`revoked its tokens and ${good}`);
  await management.objects(meshrelayKind('KubernetesCluster')).delete({ namespace, name: cluster });
  step(
    `KubernetesCluster ${namespace}/${cluster} deleted; objects in other clusters that depend on it are deleted next`,
  );
  const { spec } = registered;
  if (spec.secretName !== undefined) await deleteKubeconfig(plan, spec.secretName);
  return leftovers({ cluster, namespace, mode, spec });
}

/** An unused credential is only a risk. One that another cluster uses too stays. */
async function deleteKubeconfig({ management, namespace, step }: DeregisterPlan, name: string): Promise<void> {
  const others = await management.objects(meshrelayKind('KubernetesCluster')).list({ namespace });
  const user = others.find(({ spec }) => (spec as KubernetesClusterSpec).secretName === name);
  if (user !== undefined) return step(`Secret ${namespace}/${name} stays: ${user.metadata.name} uses it, too`);
  const secrets = new Secrets(management, namespace);
  const stored = await secrets.read(name);
  if (stored === undefined) return;
  await secrets.delete(stored);
  step(`Secret ${namespace}/${name} with its kubeconfig deleted`);
}

/** Describes the changes for the confirmation. */
async function effects({ management, namespace, cluster, mode, now }: DeregisterPlan, { spec }: KubernetesCluster) {
  const stored = await new Secrets(management, namespace).read(CERTIFICATES_SECRET);
  const live = readCertificateBook(stored?.data).live(cluster, now()).length;
  return [
    `This ends the registration of ${cluster} in namespace ${namespace} of ${management.server}:`,
    mode === 'drain'
      ? `  - removed from ${cluster}: all generated objects, with the label ${OWNER_LABEL}=${namespace}`
      : `  - generated objects stay in ${cluster} (--mode ${mode})`,
    `  - revoked: ${live === 1 ? '1 valid certificate' : `${live} valid certificates`}, and every token of ${cluster}`,
    `  - deleted: KubernetesCluster ${namespace}/${cluster}${spec.secretName === undefined ? '' : ` and Secret ${namespace}/${spec.secretName} with its kubeconfig`}`,
    `  - removed from other clusters: objects that depend on ${cluster}`,
  ];
}

/** @throws InputError if no agent or server could drain it */
function refuseUndrainable({ mode, cluster }: DeregisterPlan, { status }: KubernetesCluster): void {
  const { state } = status ?? {};
  if (mode === 'drain' && (state === 'PENDING' || state === 'DISCONNECTED'))
    throw new InputError(
      `the agent of ${cluster} is not connected (${state}), so nothing can be deleted there; connect it, or keep all objects with --mode orphan`,
    );
}

async function drain(plan: DeregisterPlan): Promise<void> {
  const { cluster, timeout, signal, step } = plan;
  await setOnCluster(plan, cluster, { draining: true });
  const drained = async (): Promise<boolean> => (await read(plan))?.status?.state === 'DRAINED';
  await waitUntil({ timeout, signal }, drained, () => {
    return `${cluster} has no generated objects; draining continues: run this command again, set spec.draining to false, or keep the rest with --mode orphan`;
  });
  step('all generated objects are deleted');
}

async function read({ management, namespace, cluster }: DeregisterPlan): Promise<KubernetesCluster | undefined> {
  const found = await management.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name: cluster });
  return found as KubernetesCluster | undefined;
}
