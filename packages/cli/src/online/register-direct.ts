/** Registers a cluster that the server connects to by a kubeconfig, without an agent in it. */
import { type KubernetesCluster, type KubernetesClusterSpec, MULTICLUSTER_API_VERSION } from '@meshrelay/api';
import {
  connect,
  isKubeError,
  type KubeConnection,
  meshrelayKind,
  outputLedgerKind,
  Reviews,
  type SecretData,
  Secrets,
} from '@meshrelay/kube';
import { MEMBER_LEASE, memberRbacRules } from '@meshrelay/relay-core';
import { readSmallFile } from '../input/small-file.ts';
import { loadMeshPlugins } from '../offline/plugins.ts';
import { InputError } from '../problem.ts';
import { agentLeaseHolder } from './agent-lease.ts';
import { changeObject } from './change-object.ts';
import { NAMESPACE } from './kinds.ts';
import { missingRights } from './missing-rights.ts';
import { checkClusterName } from './register.ts';
import { requestNotes } from './requester.ts';
import { specDiffers, withSpec } from './steer.ts';
import { waitUntil } from './wait-until.ts';

export interface DirectRegistration {
  readonly cluster: string;
  readonly management: KubeConnection;
  readonly namespace: string;
  /** The kubeconfig by which the server connects to the cluster. */
  readonly kubeconfig: string;
  readonly clusterDomain?: string;
  /** Milliseconds to wait for the server's connection; 0: do not wait. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /** Modules of mesh plugins, except built-in ones, for the permissions that they need. */
  readonly plugins?: readonly string[];
  /** Timeout of one request to the cluster, in milliseconds. */
  readonly requestTimeout?: number;
  readonly now: () => Date;
  /** Called after each step. */
  readonly step: (text: string) => void;
}

/**
 * Registers it. Safe to repeat: another kubeconfig replaces the previous one.
 * @throws InputError for an invalid name; a kubeconfig that no server could use or that lacks permissions; a cluster
 * that is not prepared or has an agent; a timeout
 */
export async function registerDirect(registration: DirectRegistration): Promise<void> {
  const { cluster, management, namespace, kubeconfig: file, step, timeout } = registration;
  checkClusterName(cluster);
  const kubeconfig = readSmallFile(file, `--direct ${file}: it`);
  await using workload = connectTo(kubeconfig, registration);
  await checkCluster(workload, registration);
  step(`the kubeconfig has the required RBAC in a cluster with the Meshrelay CRDs and namespace ${namespace}`);
  const holder = await refuseAgent(workload, registration);
  const secretName = `${cluster}-kubeconfig`;
  const notes = { annotations: await requestNotes(management) };
  let changed = false;
  const store = (before: SecretData): SecretData => {
    changed = before['kubeconfig'] !== kubeconfig;
    return { ...before, kubeconfig };
  };
  await new Secrets(management, namespace).update(secretName, store, notes);
  step(`kubeconfig stored in ${namespace}/${secretName}`);
  const created = await declare(registration, secretName);
  step(`KubernetesCluster ${namespace}/${cluster} ${created ? 'created' : 'refers to the Secret'}`);
  if (timeout === 0) return;
  await untilReached(workload, registration, changed ? holder : undefined);
  step('the server reaches the cluster');
}

/**
 * Validates that the server could use it unchanged: the server reads no files and runs no commands that it names.
 * @throws InputError
 */
function connectTo(text: string, { kubeconfig: file, requestTimeout: timeout }: DirectRegistration): KubeConnection {
  try {
    return connect({ text }, timeout === undefined ? {} : { timeout });
  } catch (cause) {
    if (!isKubeError(cause)) throw cause;
    throw new InputError(`--direct ${file}: ${cause.message}`, { cause });
  }
}

/** @throws InputError if the server could not manage this cluster with this kubeconfig */
async function checkCluster(workload: KubeConnection, registration: DirectRegistration): Promise<void> {
  const { namespace, kubeconfig: file, plugins = [] } = registration;
  const loaded = (await loadMeshPlugins(plugins)).map(({ plugin }) => plugin);
  try {
    const rights = memberRbacRules({ plugins: loaded, agent: false });
    const missing = await missingRights(new Reviews(workload), rights, namespace);
    if (missing.length > 0)
      throw new InputError(
        `the kubeconfig of ${file} lacks rights that the server needs: ${missing.slice(0, MAX_LISTED).join('; ')}${missing.length > MAX_LISTED ? `; and ${missing.length - MAX_LISTED} more` : ''}; ${PREPARE}`,
      );
    if ((await workload.objects(NAMESPACE).read({ name: namespace })) === undefined)
      throw new InputError(`the cluster of ${file} has no namespace ${namespace}; ${PREPARE}`);
    await workload.objects(outputLedgerKind).list({ namespace });
  } catch (cause) {
    if (!isKubeError(cause)) throw cause;
    const next =
      cause.code === 'RELAY_E_KUBE_NOT_FOUND'
        ? 'install the Meshrelay CRDs: kubectl apply -f the files of @meshrelay/api/crds'
        : 'check that the kubeconfig is for that cluster, and that its token is valid';
    throw new InputError(`the cluster of ${file}: ${cause.what}; ${next}`, { cause });
  }
}

const PREPARE = 'grant them by an administrator: meshctl cluster rbac --direct | kubectl apply -f -';
/** Maximum number of permissions in a message. */
const MAX_LISTED = 8;

/**
 * A running agent would keep the Lease, so the server could never acquire it.
 * @returns the holder of the Lease: undefined, or a server replica with the previous kubeconfig
 * @throws InputError if it is an agent
 */
async function refuseAgent(workload: KubeConnection, registration: DirectRegistration): Promise<string | undefined> {
  const { management, namespace, cluster, now } = registration;
  const holder = await agentLeaseHolder(workload, namespace, now());
  const registered = await management.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name: cluster });
  const { secretName } = (registered?.spec ?? {}) as KubernetesClusterSpec;
  if (holder === undefined || secretName !== undefined) return holder;
  throw new InputError(
    `an agent already manages this cluster: ${holder} holds Lease ${namespace}/${MEMBER_LEASE} there; stop it first, for example with kubectl -n ${namespace} scale deployment meshrelay-agent --replicas=0, and run this again`,
  );
}

/** @returns false if it was already declared */
async function declare(
  { management, namespace, cluster, clusterDomain }: DirectRegistration,
  secretName: string,
): Promise<boolean> {
  const where = { namespace, name: cluster };
  const expected = { secretName, ...(clusterDomain === undefined ? {} : { clusterDomain }) };
  const present = await changeObject(management, 'KubernetesCluster', where, (object) => {
    return specDiffers(object.spec, expected) ? withSpec(object, expected) : undefined;
  });
  if (present !== undefined) return false;
  await management.objects(meshrelayKind('KubernetesCluster')).create({
    apiVersion: MULTICLUSTER_API_VERSION,
    kind: 'KubernetesCluster',
    metadata: { name: cluster, namespace, annotations: await requestNotes(management) },
    spec: expected,
  });
  return true;
}

/** @param before holder of the Lease with the previous kubeconfig, which proves nothing for this one */
async function untilReached(
  workload: KubeConnection,
  { management, namespace, cluster, timeout, signal, now }: DirectRegistration,
  before: string | undefined,
): Promise<void> {
  let seen = '';
  const reached = async (): Promise<boolean> => {
    const found = await management.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name: cluster });
    const { state, connectedReplica } = (found as KubernetesCluster | undefined)?.status ?? {};
    const holder = await agentLeaseHolder(workload, namespace, now());
    seen = `${cluster} is ${state ?? 'not seen by the server yet'}, and ${holder ?? 'no replica'} holds Lease ${namespace}/${MEMBER_LEASE} there`;
    return state === 'CONNECTED' && holder !== before && holder?.startsWith(`${connectedReplica}_`) === true;
  };
  await waitUntil({ timeout, signal }, reached, () => {
    return `the server reaches ${cluster}: ${seen}; if an agent holds the Lease, stop it; otherwise see the log of the management server`;
  });
}
