/** A real cluster of one node: etcd, API server, controllers, scheduler, DNS, and what runs its pods. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { processNode } from '../processes/process-node.ts';
import { writeCertificates } from './certificates.ts';
import type { ClusterNode } from './cluster-node.ts';
import { runIn } from './command.ts';
import { type ClusterParts, controlPlane, writePrograms } from './control-plane.ts';
import type { DebianPrograms } from './debian-programs.ts';
import { dnsObjects } from './dns.ts';
import { kubeletNode } from './kubelet-node.ts';
import { balanceLoad } from './load-balancers.ts';
import { type Addresses, addressesOf, connectCluster } from './network.ts';
import type { ClusterPrograms } from './programs.ts';
import { STEP_WITHIN } from './waiting.ts';

export interface ClusterPlan {
  readonly name: string;
  /** From 1; it determines all addresses. */
  readonly number: number;
  /** The folder of all clusters. */
  readonly folder: string;
  /** The prefix of the names of its control groups. */
  readonly groups: string;
  readonly programs: ClusterPrograms;
  /** Programs of a node with a kubelet; without them its pods run as processes. */
  readonly debian?: DebianPrograms | undefined;
  /** Archives of the images to import. */
  readonly images: readonly string[];
}

const INIT = fileURLToPath(new URL('init.sh', import.meta.url));
const SPACES = ['-n', '-m', '-p', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'];

/** A running cluster. */
export interface RealCluster extends AsyncDisposable {
  readonly name: string;
  readonly addresses: Addresses;
  /** Its programs' logs are in `log` in it, those of its pods in `pods`. */
  readonly folder: string;
  /** As an administrator. */
  readonly client: Client;
  /** JSON, with a token of an administrator. */
  readonly kubeconfig: string;
  /** Runs kubectl in the network of its node. @throws Error with its output */
  kubectl(...args: readonly string[]): Promise<string>;
  /** Imports images, which pods use with `imagePullPolicy: IfNotPresent`. */
  importImages(archives: readonly string[]): Promise<void>;
}

/** Resolves when its node is Ready and pods can start. @throws Error that names the folder with its logs */
export async function startCluster(plan: ClusterPlan): Promise<RealCluster> {
  const { name, number, programs } = plan;
  const addresses = addressesOf(number);
  const folder = join(plan.folder, name);
  const parts: ClusterParts = { cluster: name, folder, addresses, programs };
  const token = randomBytes(16).toString('hex');
  await writeFiles(parts, token);
  const kubeconfig = kubeconfigOf(parts, token);
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const node = nodeOf(parts, plan);
  node.writeFiles();
  writePrograms(join(folder, 'control-plane.sh'), [...controlPlane(parts), ...node.early]);
  await using stack = new AsyncDisposableStack();
  const pid = await startInit(folder, node, stack);
  await connectCluster(pid, number);
  writeFileSync(join(folder, 'run/network'), '');
  const client = stack.use(new Client(targetOf(kubeconfig)));
  try {
    const started = becomesReady(parts, client, async () => {
      stack.use(await node.start(client, pid));
    });
    await Promise.all([started, node.importImages(plan.images)]);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new Error(`cluster ${name} did not start; see the logs in ${folder}/log: ${why}`, { cause });
  }
  stack.use(balanceLoad(client, addresses.loadBalancers));
  const owned = stack.move();
  return {
    name,
    addresses,
    folder,
    client,
    kubeconfig,
    importImages: (archives) => node.importImages(archives),
    kubectl: (...args) => runIn(pid, programs.kubernetes, ['kubectl', `--kubeconfig=${file}`, ...args]),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function nodeOf(parts: ClusterParts, { debian, groups }: ClusterPlan): ClusterNode {
  return debian === undefined
    ? processNode(parts)
    : kubeletNode({ ...parts, debian, group: `${groups}${parts.cluster}` });
}

async function writeFiles(parts: ClusterParts, token: string): Promise<void> {
  const { cluster, folder, addresses } = parts;
  for (const one of ['pki', 'log', 'cni', 'pods', 'run']) mkdirSync(join(folder, one), { recursive: true });
  await writeCertificates({ cluster, folder: join(folder, 'pki'), addresses });
  writeFileSync(join(folder, 'pki/tokens.csv'), `${token},administrator,administrator,system:masters\n`);
}

/** Starts process 1 of the cluster. @returns the process that has the cluster's network */
async function startInit(folder: string, node: ClusterNode, stack: AsyncDisposableStack): Promise<number> {
  const log = openSync(join(folder, 'log/init.log'), 'a');
  const setup = node.setup === '' ? [] : [fileURLToPath(new URL(node.setup, import.meta.url))];
  const child = spawn('unshare', [...SPACES, 'bash', INIT, folder, ...setup], {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...node.env },
  });
  closeSync(log);
  const exited = once(child, 'exit');
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  stack.defer(async () => {
    process.off('exit', killWithUs);
    child.kill('SIGKILL');
    await exited;
  });
  const own = readlinkSync('/proc/self/ns/net');
  const network = () => readlinkSync(`/proc/${child.pid}/ns/net`) !== own;
  await eventually('the cluster has its own network', network, { deadline: STEP_WITHIN });
  return child.pid as number;
}

/** @param startNode called when the API server is ready */
async function becomesReady(
  { cluster, folder, addresses }: ClusterParts,
  client: Client,
  startNode: () => Promise<void>,
): Promise<void> {
  const within = { deadline: STEP_WITHIN, every: 100 };
  await eventually('the API server is ready', async () => (await client.get('/readyz')).status === 200, within);
  writeFileSync(join(folder, 'run/api'), '');
  await startNode();
  for (const [path, object] of dnsObjects(addresses.dns)) {
    const created = async () => [201, 409].includes((await client.post(path, object)).status);
    await eventually(`${path} accepts the objects of the DNS`, created, within);
  }
  const ready = async (): Promise<boolean> => {
    const { body } = await client.get(`/api/v1/nodes/${cluster}`);
    const conditions = (body?.status?.conditions ?? []) as readonly { type: string; status: string }[];
    return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  };
  await eventually('the node is Ready', ready, within);
  const account = '/api/v1/namespaces/default/serviceaccounts/default';
  await eventually('the default ServiceAccount exists', async () => (await client.get(account)).status === 200, within);
}

function kubeconfigOf({ cluster, folder, addresses }: ClusterParts, token: string): string {
  const authority = readFileSync(join(folder, 'pki/ca.crt')).toString('base64');
  const server = `https://${addresses.node}:6443`;
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': cluster,
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: cluster, user: { token } }],
    contexts: [{ name: cluster, context: { cluster, user: cluster } }],
  });
}
