/** A real cluster: etcd, API server, controllers, scheduler, DNS, and nodes that run its pods. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { endWithUs } from '@meshrelay/testing/processes';
import { processNodes } from '../processes/process-nodes.ts';
import { writeCertificates } from './certificates.ts';
import type { ClusterNodes } from './cluster-nodes.ts';
import { runIn } from './command.ts';
import { type ClusterParts, controlPlane, writePrograms } from './control-plane.ts';
import type { DebianPrograms } from './debian-programs.ts';
import { dnsObjects } from './dns.ts';
import { kubeletNodes } from './kubelet-nodes.ts';
import { balanceLoad } from './load-balancers.ts';
import { type Addresses, addressesOf, connectCluster } from './network.ts';
import type { ClusterPrograms } from './programs.ts';
import { STEP_WITHIN } from './waiting.ts';

export interface ClusterPlan {
  readonly name: string;
  /** From 1; it determines all addresses. */
  readonly number: number;
  /** How many nodes it has. */
  readonly nodes: number;
  /** The folder of all clusters. */
  readonly folder: string;
  /** The prefix of the names of its control groups. */
  readonly groups: string;
  readonly programs: ClusterPrograms;
  /** Programs of nodes with a kubelet; without them pods run as processes. */
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
  /** Runs kubectl in the network of its nodes. @throws Error with its output */
  kubectl(...args: readonly string[]): Promise<string>;
  /** Imports images, which pods use with `imagePullPolicy: IfNotPresent`. */
  importImages(archives: readonly string[]): Promise<void>;
}

/** Resolves when its nodes are Ready and pods can start. @throws Error that names the folder with its logs */
export async function startCluster(plan: ClusterPlan): Promise<RealCluster> {
  const { name, number, programs } = plan;
  const addresses = addressesOf(number);
  const folder = join(plan.folder, name);
  const nodes = nodeNames(name, plan.nodes);
  const parts: ClusterParts = { cluster: name, nodes, folder, addresses, programs };
  const token = randomBytes(16).toString('hex');
  await writeFiles(parts, token);
  const kubeconfig = kubeconfigOf(parts, token);
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const runner = nodesOf(parts, plan);
  runner.writeFiles();
  writePrograms(join(folder, 'control-plane.sh'), [...controlPlane(parts), ...runner.early]);
  await using stack = new AsyncDisposableStack();
  const pid = await startInit(folder, runner, stack);
  await connectCluster(pid, number);
  writeFileSync(join(folder, 'run/network'), '');
  const client = stack.use(new Client(targetOf(kubeconfig)));
  try {
    const started = becomesReady(parts, client, async () => {
      stack.use(await runner.start(client, pid));
    });
    await Promise.all([started, runner.importImages(plan.images)]);
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
    importImages: (archives) => runner.importImages(archives),
    kubectl: (...args) => runIn(pid, programs.kubernetes, ['kubectl', `--kubeconfig=${file}`, ...args]),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function nodesOf(parts: ClusterParts, { debian, groups }: ClusterPlan): ClusterNodes {
  return debian === undefined ? processNodes(parts) : kubeletNodes({ ...parts, debian, groups });
}

/** The first has the name of the cluster. */
function nodeNames(cluster: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? cluster : `${cluster}-${index + 1}`));
}

async function writeFiles(parts: ClusterParts, token: string): Promise<void> {
  const { cluster, nodes, folder, addresses } = parts;
  for (const one of ['pki', 'log', 'cni', 'pods', 'run']) mkdirSync(join(folder, one), { recursive: true });
  await writeCertificates({ cluster, nodes, folder: join(folder, 'pki'), addresses });
  writeFileSync(join(folder, 'pki/tokens.csv'), `${token},administrator,administrator,system:masters\n`);
}

/** Starts process 1 of the cluster. @returns the process that has the cluster's network */
async function startInit(
  folder: string,
  { setup: script, env }: ClusterNodes,
  stack: AsyncDisposableStack,
): Promise<number> {
  const log = openSync(join(folder, 'log/init.log'), 'a');
  const setup = script === '' ? [] : [fileURLToPath(new URL(script, import.meta.url))];
  const child = spawn('unshare', [...SPACES, 'bash', INIT, folder, ...setup], {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...env },
  });
  closeSync(log);
  const exited = once(child, 'exit');
  endWithUs(child);
  stack.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const own = readlinkSync('/proc/self/ns/net');
  const network = () => readlinkSync(`/proc/${child.pid}/ns/net`) !== own;
  await eventually('the cluster has its own network', network, { deadline: STEP_WITHIN });
  return child.pid as number;
}

/** @param startNodes called when the API server is ready */
async function becomesReady(
  { nodes, folder, addresses }: ClusterParts,
  client: Client,
  startNodes: () => Promise<void>,
): Promise<void> {
  const within = { deadline: STEP_WITHIN, every: 100 };
  await eventually('the API server is ready', async () => (await client.get('/readyz')).status === 200, within);
  writeFileSync(join(folder, 'run/api'), '');
  await startNodes();
  for (const [path, object] of dnsObjects(addresses.dns)) {
    const created = async () => [201, 409].includes((await client.post(path, object)).status);
    await eventually(`${path} accepts the objects of the DNS`, created, within);
  }
  const ready = async (name: string): Promise<boolean> => {
    const { body } = await client.get(`/api/v1/nodes/${name}`);
    const conditions = (body?.status?.conditions ?? []) as readonly { type: string; status: string }[];
    return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  };
  for (const node of nodes) await eventually(`the node ${node} is Ready`, () => ready(node), within);
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
