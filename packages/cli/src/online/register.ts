/** Registering a cluster: everything its agent needs to dial in, and nothing left behind. */
import { MULTICLUSTER_API_VERSION } from '@meshrelay/api';
import { isKubeError, type KubeConnection, ourKind, Secrets } from '@meshrelay/kube';
import { CLIENT_SECRET, isClusterName, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/pki';
import { InputError } from '../problem.ts';
import { NAMESPACE } from './kinds.ts';
import { declareToken } from './tokens.ts';
import { type Patience, waitUntil } from './wait-until.ts';

export interface Registration {
  readonly cluster: string;
  readonly management: KubeConnection;
  readonly workload: KubeConnection;
  readonly namespace: string;
  /** The cluster's DNS domain, where it is not cluster.local. */
  readonly clusterDomain?: string;
  /** Milliseconds the token is good for. */
  readonly tokenLifetime: number;
  /** Whether the registration takes the place of a certificate that is still good. */
  readonly replace?: boolean;
  /** Milliseconds to wait for the agent's certificate; 0 not to wait. */
  readonly timeout: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  readonly now: () => Date;
  /** Told of each step when it is done. */
  readonly step: (text: string) => void;
  /** Starts the agent, where the caller can; gives what to tell about it. */
  readonly startAgent?: () => Promise<string>;
}

/** @throws InputError for what no cluster may be called */
export function checkClusterName(name: string): void {
  if (!isClusterName(name))
    throw new InputError(`"${name}" is no cluster name; use lower-case letters, digits, "-" and "."`);
}

/**
 * Registers a cluster. Safe to repeat: what is there is kept, and a new token takes the place of those before it.
 * @throws InputError for a bad name, a server that has not started yet, a certificate that does not come in time
 */
export async function registerCluster(registration: Registration): Promise<void> {
  const { cluster, management, workload, namespace, step, startAgent, timeout, signal } = registration;
  checkClusterName(cluster);
  const root = await readRoot(management, namespace);
  await ensureNamespace(workload, namespace);
  const secrets = new Secrets(workload, namespace);
  await secrets.update(ROOT_SECRET, (before) => ({ ...before, 'ca.crt': root }));
  step(`root CA copied to ${namespace}/${ROOT_SECRET}`);
  await giveToken(registration);
  step(`token copied to ${namespace}/${TOKEN_SECRET}, good for this cluster, once`);
  if (startAgent !== undefined) step(await startAgent());
  const created = await declare(management, registration);
  step(`KubernetesCluster ${namespace}/${cluster} ${created ? 'created' : 'was there already'}`);
  if (timeout === 0) return;
  await untilAgent(
    `the agent of ${cluster} has its client certificate`,
    { timeout, signal },
    async () => (await secrets.read(CLIENT_SECRET))?.data['tls.crt'] !== undefined,
  );
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
      `the management cluster has no Secret ${namespace}/${ROOT_SECRET} with a ca.crt; start the management server first, it makes one`,
    );
  }
  return root;
}

async function ensureNamespace(connection: KubeConnection, name: string): Promise<void> {
  const namespaces = connection.objects(NAMESPACE);
  if ((await namespaces.read({ name })) !== undefined) return;
  await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: {} }).catch(ignoreExisting);
}

/** The management cluster learns the token's hash, the workload cluster the token; nobody else sees it. */
async function giveToken({ workload, tokenLifetime: lifetime, ...registration }: Registration): Promise<void> {
  const { namespace } = registration;
  const token = await declareToken({ ...registration, lifetime });
  await new Secrets(workload, namespace).update(TOKEN_SECRET, (before) => ({ ...before, token: token.reveal() }));
}

/** @returns false where it was declared before */
async function declare(
  management: KubeConnection,
  { cluster, namespace, clusterDomain }: Registration,
): Promise<boolean> {
  const clusters = management.objects(ourKind('KubernetesCluster'));
  if ((await clusters.read({ namespace, name: cluster })) !== undefined) return false;
  const spec = clusterDomain === undefined ? {} : { clusterDomain };
  await clusters
    .create({
      apiVersion: MULTICLUSTER_API_VERSION,
      kind: 'KubernetesCluster',
      metadata: { name: cluster, namespace },
      spec,
    })
    .catch(ignoreExisting);
  return true;
}

function ignoreExisting(error: unknown): void {
  if (!isKubeError(error, 'RELAY_E_KUBE_EXISTS')) throw error;
}

/** @param what of which the agent's and the server's logs say why it did not come to be */
function untilAgent(what: string, patience: Patience, holds: () => Promise<boolean>): Promise<void> {
  return waitUntil(patience, holds, () => `${what}; its log and that of the management server say why`);
}
