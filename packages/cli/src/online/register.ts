/** Registers a cluster: creates everything that its agent needs to connect, and nothing more. */

import { type KubernetesCluster, MULTICLUSTER_API_VERSION } from '@meshrelay/api';
import { isKubeError, type KubeConnection, meshrelayKind, Secrets } from '@meshrelay/kube';
import {
  CERTIFICATES_SECRET,
  CLUSTER_NAME_SYNTAX,
  type IssuedRecord,
  isClusterName,
  readCertificateBook,
  readTokenBook,
  TOKENS_SECRET,
  Token,
} from '@meshrelay/pki';
import { CLIENT_SECRET, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import { ensureNamespace } from '../install/namespace.ts';
import { InputError } from '../problem.ts';
import { type AgentIdentity, readAgentIdentityOf } from './agent-identity.ts';
import { setOnCluster } from './steer.ts';
import { checkTokenLifetime, declareToken, tokenState } from './tokens.ts';
import { type WaitOptions, waitUntil } from './wait-until.ts';

export interface Registration {
  readonly cluster: string;
  readonly management: KubeConnection;
  readonly workload: KubeConnection;
  readonly namespace: string;
  /** The cluster's DNS domain, if it is not cluster.local. */
  readonly clusterDomain?: string;
  /** Lifetime of the token, in milliseconds. */
  readonly tokenLifetime: number;
  /** Whether the registration replaces a certificate that is still valid. */
  readonly replace?: boolean;
  /** Milliseconds to wait for the agent's certificate; 0: do not wait. */
  readonly timeout: number;
  /** Stops waiting. */
  readonly signal?: AbortSignal;
  readonly now: () => Date;
  /** Called after each step. */
  readonly step: (text: string) => void;
  /** Starts the agent, if the caller can; returns a message about it. */
  readonly startAgent?: () => Promise<string>;
  /** Called before the command waits for what the text names. */
  readonly waiting?: (text: string) => void;
  /** Called while it waits, for example to report on the agent. */
  readonly whileWaiting?: () => Promise<void>;
}

/** @throws InputError for an invalid cluster name */
export function checkClusterName(name: string): void {
  if (!isClusterName(name)) throw new InputError(`"${name}" is not a cluster name; use ${CLUSTER_NAME_SYNTAX}`);
}

/**
 * Registers a cluster. Safe to repeat: existing objects stay, a new token replaces previous ones, and an agent with a
 * valid certificate gets no token.
 * @throws InputError for an invalid name, a server that has not started yet, a cluster or a name already in use, or a
 * certificate not issued in time
 */
export async function registerCluster(registration: Registration): Promise<void> {
  const { cluster, management, workload, namespace, tokenLifetime, step, startAgent, timeout } = registration;
  checkClusterName(cluster);
  checkTokenLifetime(tokenLifetime);
  const root = await readRoot(management, namespace);
  await refuseDirect(registration);
  const secrets = new Secrets(workload, namespace);
  const before = await readAgentIdentityOf(secrets);
  await refuseOtherName(registration, before);
  await refuseOtherToken(registration);
  const good = await goodCertificate(registration, before);
  await ensureNamespace(workload, namespace);
  await secrets.update(ROOT_SECRET, (data) => ({ ...data, 'ca.crt': root }));
  step(`root CA copied to ${namespace}/${ROOT_SECRET}`);
  if (good === undefined) {
    await giveToken(registration);
    step(`token copied to ${namespace}/${TOKEN_SECRET}, valid once for this cluster`);
  } else
    step(
      `its agent has a client certificate, valid until ${good.expiresAt}; it needs no token (--replace issues a new one)`,
    );
  if (startAgent !== undefined) step(await startAgent());
  step(await declare(registration));
  if (timeout > 0 && good === undefined) await untilRegistered(registration, before.certificateKey);
}

/**
 * The server admits no agent for a cluster that it connects to itself.
 * @throws InputError
 */
async function refuseDirect(registration: Registration): Promise<void> {
  const { cluster, namespace } = registration;
  const { secretName } = (await readRegistered(registration, cluster))?.spec ?? {};
  if (secretName === undefined) return;
  throw new InputError(
    `the server reaches ${cluster} by the kubeconfig in Secret ${namespace}/${secretName}, and accepts no agent for it; remove spec.secretName of KubernetesCluster ${namespace}/${cluster} first`,
  );
}

/**
 * An agent has one name: it could not use a token for another one.
 * @throws InputError
 */
async function refuseOtherName(registration: Registration, { cluster: name }: AgentIdentity): Promise<void> {
  const { cluster, workload, namespace } = registration;
  if (name === undefined || name === cluster) return;
  if ((await readRegistered(registration, name)) === undefined) return;
  throw new InputError(
    `the cluster at ${workload.server} is registered as ${name}: Secret ${namespace}/${CLIENT_SECRET} has the certificate of that name; to rename it to ${cluster}, first run meshctl cluster deregister ${name}`,
  );
}

/**
 * The new token would overwrite another name's token, which its agent may not have used yet.
 * @throws InputError
 */
async function refuseOtherToken({ cluster, management, workload, namespace, now }: Registration): Promise<void> {
  const stored = await new Secrets(workload, namespace).read(TOKEN_SECRET);
  const token = Token.read(stored?.data['token'] ?? '');
  if (token === undefined) return;
  const book = readTokenBook((await new Secrets(management, namespace).read(TOKENS_SECRET))?.data ?? {});
  const other = book.records.find((record) => record.hash === token.hash && record.cluster !== cluster);
  if (other === undefined || tokenState(other, now()) !== 'open') return;
  throw new InputError(
    `the cluster at ${workload.server} is being registered as ${other.cluster}: Secret ${namespace}/${TOKEN_SECRET} has its token, valid until ${other.expiresAt}; register it under that name, or first revoke the token (meshctl token revoke ${other.cluster}) and, if that name was a mistake, deregister it (meshctl cluster deregister ${other.cluster} --mode force)`,
  );
}

/**
 * The server's record of the agent's certificate, if none needs to be issued.
 * @throws InputError if the server would issue none, since another cluster has a valid certificate of this name
 */
async function goodCertificate(
  { cluster, management, namespace, now, replace }: Registration,
  { certificateKey, keys }: AgentIdentity,
): Promise<IssuedRecord | undefined> {
  if (replace === true) return undefined;
  const stored = await new Secrets(management, namespace).read(CERTIFICATES_SECRET);
  const live = readCertificateBook(stored?.data).live(cluster, now());
  const other = live.find(({ keyHash }) => !keys.has(keyHash));
  const own = live.find(({ keyHash }) => keyHash === certificateKey);
  if (own !== undefined || other === undefined) return own;
  throw new InputError(
    `${cluster} has a certificate that is valid until ${other.expiresAt}, and Secret ${namespace}/${CLIENT_SECRET} of this cluster does not have its key: give another name, or, if the key is lost, --replace, which revokes the certificate`,
  );
}

/** @param before key of the certificate to replace */
async function untilRegistered(registration: Registration, before: string | undefined): Promise<void> {
  const { cluster, workload, namespace, step, timeout, signal, waiting, whileWaiting } = registration;
  const secrets = new Secrets(workload, namespace);
  waiting?.('waiting for the client certificate of the agent');
  await untilAgent(`the agent of ${cluster} has its client certificate`, { timeout, signal }, async () => {
    await whileWaiting?.();
    const now = await readAgentIdentityOf(secrets);
    return now.cluster === cluster && now.certificateKey !== before;
  });
  step(`client certificate issued, in ${namespace}/${CLIENT_SECRET}`);
  await untilAgent(
    `the agent of ${cluster} has removed its token`,
    { timeout, signal },
    async () => (await secrets.read(TOKEN_SECRET)) === undefined,
  );
  step('token removed');
}

async function readRoot(management: KubeConnection, namespace: string): Promise<string> {
  const root = (await new Secrets(management, namespace).read(ROOT_SECRET))?.data['ca.crt'];
  if (root === undefined) {
    throw new InputError(
      `the management cluster has no Secret ${namespace}/${ROOT_SECRET} with a ca.crt; start the management server first, which creates it`,
    );
  }
  return root;
}

/** The management cluster gets the token's hash, and only the workload cluster gets the token. */
async function giveToken({ workload, tokenLifetime: lifetime, ...registration }: Registration): Promise<void> {
  const { namespace } = registration;
  const token = await declareToken({ ...registration, lifetime });
  await new Secrets(workload, namespace).update(TOKEN_SECRET, (before) => ({ ...before, token: token.reveal() }));
}

/** @returns a description of the step for the user */
async function declare(registration: Registration): Promise<string> {
  const { management, cluster, namespace, clusterDomain } = registration;
  const title = `KubernetesCluster ${namespace}/${cluster}`;
  const metadata = { namespace, name: cluster };
  const present = await readRegistered(registration, cluster);
  if (present === undefined) {
    const spec = clusterDomain === undefined ? {} : { clusterDomain };
    const object = { apiVersion: MULTICLUSTER_API_VERSION, kind: 'KubernetesCluster', metadata, spec };
    await management.objects(meshrelayKind('KubernetesCluster')).create(object).catch(ignoreExisting);
    return `${title} created`;
  }
  if (clusterDomain === undefined || !(await setOnCluster({ management, namespace }, cluster, { clusterDomain })))
    return `${title} already exists`;
  return `${title} already exists; its clusterDomain is ${clusterDomain} now`;
}

async function readRegistered(
  { management, namespace }: Pick<Registration, 'management' | 'namespace'>,
  name: string,
): Promise<KubernetesCluster | undefined> {
  const found = await management.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name });
  return found as KubernetesCluster | undefined;
}

function ignoreExisting(error: unknown): void {
  if (!isKubeError(error, 'RELAY_E_KUBE_EXISTS')) throw error;
}

/** @param what the expected event; the logs of agent and server contain the reason if it does not happen */
function untilAgent(what: string, timeoutMs: WaitOptions, holds: () => Promise<boolean>): Promise<void> {
  return waitUntil(timeoutMs, holds, () => `${what}; see its log and the log of the management server`);
}
