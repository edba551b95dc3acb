/** Registering a cluster that the server reaches by a kubeconfig: nothing of ours runs there. */
import { type KubernetesCluster, type KubernetesClusterSpec, MULTICLUSTER_API_VERSION } from '@meshrelay/api';
import { connect, isKubeError, type KubeConnection, ourKind, outputLedgerKind, Secrets } from '@meshrelay/kube';
import { readSmallFile } from '../input/small-file.ts';
import { InputError } from '../problem.ts';
import { changeObject } from './change-object.ts';
import { NAMESPACE } from './kinds.ts';
import { checkClusterName } from './register.ts';
import { requestNotes } from './requester.ts';
import { waitUntil } from './wait-until.ts';

export interface DirectRegistration {
  readonly cluster: string;
  readonly management: KubeConnection;
  readonly namespace: string;
  /** The kubeconfig by which the server is to reach the cluster. */
  readonly kubeconfig: string;
  readonly clusterDomain?: string;
  /** Milliseconds to wait until the server reaches it; 0 not to wait. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /** Told of each step when it is done. */
  readonly step: (text: string) => void;
}

/**
 * Registers it. Safe to repeat: another kubeconfig takes the place of the one before.
 * @throws InputError for a bad name, a kubeconfig that no server could use, a cluster that is not prepared, or is not reached in time
 */
export async function registerDirect(registration: DirectRegistration): Promise<void> {
  const { cluster, management, namespace, kubeconfig: file, step, timeout } = registration;
  checkClusterName(cluster);
  const kubeconfig = readSmallFile(file, `--direct ${file}: it`);
  await checkCluster(kubeconfig, file, namespace);
  step(`the kubeconfig reaches a cluster that has our CRDs and the namespace ${namespace}`);
  const secretName = `${cluster}-kubeconfig`;
  const notes = { annotations: await requestNotes(management) };
  await new Secrets(management, namespace).update(secretName, (before) => ({ ...before, kubeconfig }), notes);
  step(`kubeconfig stored in ${namespace}/${secretName}`);
  const created = await declare(registration, secretName);
  step(`KubernetesCluster ${namespace}/${cluster} ${created ? 'created' : 'now names it'}`);
  if (timeout === 0) return;
  await untilReached(registration);
  step('the server reaches it');
}

/** Whether the server could use it as it stands: it reads no file and runs no command that it names. @throws InputError */
async function checkCluster(text: string, file: string, namespace: string): Promise<void> {
  try {
    await using workload = connect({ text });
    if ((await workload.objects(NAMESPACE).read({ name: namespace })) === undefined)
      throw new InputError(
        `the cluster of ${file} has no namespace ${namespace}; make it with the rights the server needs: meshctl cluster rights --direct | kubectl apply -f -`,
      );
    await workload.objects(outputLedgerKind).list({ namespace });
  } catch (cause) {
    if (!isKubeError(cause)) throw cause;
    if (cause.code === 'RELAY_E_KUBE_CONFIG') throw new InputError(`--direct ${file}: ${cause.message}`, { cause });
    const next =
      cause.code === 'RELAY_E_KUBE_NOT_FOUND'
        ? 'install our CRDs there: kubectl apply -f the files of @meshrelay/api/crds'
        : 'it may have too few rights: meshctl cluster rights --direct prints those the server needs';
    throw new InputError(`the cluster of ${file}: ${cause.what}; ${next}`, { cause });
  }
}

/** @returns false where it was declared before */
async function declare(
  { management, namespace, cluster, clusterDomain }: DirectRegistration,
  secretName: string,
): Promise<boolean> {
  const where = { namespace, name: cluster };
  const present = await changeObject(management, 'KubernetesCluster', where, (object) => {
    const spec = object.spec as KubernetesClusterSpec;
    return spec.secretName === secretName ? undefined : { ...object, spec: { ...spec, secretName } };
  });
  if (present !== undefined) return false;
  await management.objects(ourKind('KubernetesCluster')).create({
    apiVersion: MULTICLUSTER_API_VERSION,
    kind: 'KubernetesCluster',
    metadata: { name: cluster, namespace, annotations: await requestNotes(management) },
    spec: { secretName, ...(clusterDomain === undefined ? {} : { clusterDomain }) },
  });
  return true;
}

function untilReached({ management, namespace, cluster, timeout, signal }: DirectRegistration): Promise<void> {
  const reached = async (): Promise<boolean> => {
    const found = await management.objects(ourKind('KubernetesCluster')).read({ namespace, name: cluster });
    return (found as KubernetesCluster | undefined)?.status?.state === 'CONNECTED';
  };
  return waitUntil({ timeout, signal }, reached, () => {
    return `the server reaches ${cluster}; the log of the management server says why`;
  });
}
