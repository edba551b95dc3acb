/** The cost of an agent in a large real cluster, next to the istiod of the same cluster. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crds } from '@meshrelay/api/crds';
import { registerCluster } from '@meshrelay/cli';
import { goFolder } from '@meshrelay/e2e/go-folder';
import { type Istiod, startIstiod } from '@meshrelay/e2e/istiod';
import { istioCrds } from '@meshrelay/e2e/mesh-crds';
import { startRealKube } from '@meshrelay/e2e/real-kube';
import { nodeOptions } from '@meshrelay/images';
import { connect } from '@meshrelay/kube';
import {
  type ClusterItem,
  joinCluster,
  NAMESPACE,
  type Program,
  RunFolder,
  type RunningCluster,
  ServerApi,
  startAgent,
  startCluster,
  startServer,
  until,
} from '@meshrelay/local-fleet';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources, type InstallableCrd } from '@meshrelay/testing/custom-resources';
import { goProgram } from '@meshrelay/testing/go';
import { LargeCluster } from '../cluster-size/large-cluster.ts';
import type { ClusterSize } from '../cluster-size/objects.ts';
import { cpuMsOf, residentMiB } from '../process/process-cost.ts';

export interface ClusterSizePlan extends ClusterSize {
  /** Seconds for which pods change, and for which CPU and requests are counted. */
  readonly seconds: number;
  readonly podChangesPerSecond: number;
}

/** The cost of one program. */
export interface ProgramCost {
  /** From its start until it has all of the cluster: the server has the agent's snapshot, istiod is ready. */
  readonly secondsToStart: number;
  /** CPU of that time. */
  readonly startCpuSeconds: number;
  /** Resident memory at the end of the changes. */
  readonly residentMiB: number;
  /** Cores in use while pods change. */
  readonly cores: number;
  readonly apiRequestsPerMinute: number;
}

export interface ClusterSizeResult {
  readonly agent: ProgramCost;
  readonly istiod: ProgramCost;
  /** Cores in use without any change. */
  readonly agentCoresAtRest: number;
}

const CLUSTER = 'large';
const MANAGEMENT = { name: 'management', region: 'eu', manifests: [], crds: [], network: 10, agents: 0 };
const ELECTION = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };
/** Milliseconds for which a program rests after its start before it is measured. */
const SETTLE_MS = 10_000;
const TIMEOUT_MS = 600_000;

export async function clusterSize(
  { seconds, podChangesPerSecond, ...size }: ClusterSizePlan,
  progress: (what: string) => void,
): Promise<ClusterSizeResult> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(new RunFolder('cluster-size'));
  const auditLog = folder.logFile('audit');
  const program = await goProgram(goFolder('pilot-discovery'), { print: progress });
  const { kubeconfig } = stack.use(await startRealKube(progress, { auditLog }));
  using client = new Client(targetOf(kubeconfig));
  await CustomResources.install(client, [...(await istioCrds()), ...(crds as unknown as readonly InstallableCrd[])]);
  progress(`creating ${size.nodes} nodes and ${size.pods} pods`);
  const cluster = stack.use(await LargeCluster.fill(kubeconfig, size));

  progress('starting the agent');
  const fleet = await Management.start(stack, folder);
  const agent = await fleet.register(kubeconfig);
  progress('starting istiod');
  const istiod = await istiodWith(stack, { program, kubeconfig });
  await sleep(SETTLE_MS);

  const rest = await measured([agent.pid, istiod.pid], () => sleep(SETTLE_MS));
  progress(`${podChangesPerSecond} pods a second are replaced, for ${seconds} s`);
  const from = readFileSync(auditLog).byteLength;
  const cores = await measured([agent.pid, istiod.pid], () => changePods(cluster, seconds, podChangesPerSecond));
  const requests = readFileSync(auditLog).subarray(from).toString().split('\n');
  const requestsOf = (userAgent: string) =>
    (requests.filter((line) => line.includes(`"userAgent":"${userAgent}`)).length * 60) / seconds;
  const cost = (started: Started, usedCores: number, userAgent: string): ProgramCost => ({
    secondsToStart: started.seconds,
    startCpuSeconds: started.cpuSeconds,
    residentMiB: residentMiB(started.pid),
    cores: usedCores,
    apiRequestsPerMinute: requestsOf(userAgent),
  });
  return {
    agent: cost(agent, cores[0] ?? Number.NaN, 'meshrelay/'),
    istiod: cost(istiod, cores[1] ?? Number.NaN, 'pilot-discovery/'),
    agentCoresAtRest: rest[0] ?? Number.NaN,
  };
}

interface Started {
  readonly pid: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** A server whose management cluster has nothing else. */
class Management {
  readonly #stack: AsyncDisposableStack;
  readonly #folder: RunFolder;
  readonly #cluster: RunningCluster;
  readonly #relayPort: number;
  readonly #api: ServerApi;
  readonly #signal = new AbortController().signal;

  private constructor(
    stack: AsyncDisposableStack,
    folder: RunFolder,
    cluster: RunningCluster,
    { relayPort, httpPort }: { readonly relayPort: number; readonly httpPort: number },
  ) {
    this.#stack = stack;
    this.#folder = folder;
    this.#cluster = cluster;
    this.#relayPort = relayPort;
    this.#api = new ServerApi(httpPort);
  }

  static async start(stack: AsyncDisposableStack, folder: RunFolder): Promise<Management> {
    const cluster = joinCluster(MANAGEMENT, stack.use(await startCluster(MANAGEMENT)), folder);
    stack.use(cluster.connection);
    const server = stack.use(
      startServer({
        name: 'mgmt-server',
        kubeconfig: cluster.kubeconfig,
        folder,
        ports: { relay: 0, http: 0 },
        leaderElection: ELECTION,
      }),
    );
    const { signal } = new AbortController();
    const started = await until('the server to start', { signal, timeout: TIMEOUT_MS }, () =>
      server.logged('management server started'),
    );
    const ports = { relayPort: Number(started['relayPort']), httpPort: Number(started['httpPort']) };
    return new Management(stack, folder, cluster, ports);
  }

  /** Registers the cluster, and resolves when the server has its agent's snapshot. */
  async register(kubeconfig: string): Promise<Started> {
    const file = this.#folder.write(`${CLUSTER}.kubeconfig`, kubeconfig);
    const workload = this.#stack.use(connect({ file }));
    const times = { start: 0 };
    let agent: Program | undefined;
    await registerCluster({
      cluster: CLUSTER,
      management: this.#cluster.connection,
      workload,
      namespace: NAMESPACE,
      tokenLifetime: 3_600_000,
      timeout: TIMEOUT_MS,
      signal: this.#signal,
      now: () => new Date(),
      step: () => undefined,
      startAgent: async () => {
        times.start = performance.now();
        agent = this.#stack.use(
          startAgent({
            name: 'agent',
            cluster: CLUSTER,
            kubeconfig: file,
            folder: this.#folder,
            relayPort: this.#relayPort,
            leaderElection: ELECTION,
            env: { NODE_OPTIONS: nodeOptions.agent.join(' ') },
          }),
        );
        return 'agent started';
      },
    });
    if (agent === undefined) throw new Error('registering did not start the agent');
    await until('the agent to send its snapshot', { signal: this.#signal, timeout: TIMEOUT_MS }, async () =>
      (await this.#api.list<ClusterItem>('clusters')).find(({ name, complete }) => name === CLUSTER && complete),
    );
    return {
      pid: agent.pid,
      seconds: (performance.now() - times.start) / 1000,
      cpuSeconds: cpuMsOf(agent.pid) / 1000,
    };
  }
}

async function istiodWith(
  stack: AsyncDisposableStack,
  { program, kubeconfig }: { readonly program: string; readonly kubeconfig: string },
): Promise<Started> {
  const start = performance.now();
  const istiod: Istiod = stack.use(await startIstiod(program, { cluster: CLUSTER, kubeconfig, host: '127.0.0.1' }));
  return {
    pid: istiod.pid,
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: cpuMsOf(istiod.pid) / 1000,
  };
}

/** Cores that each process uses during some work. */
async function measured(pids: readonly number[], work: () => Promise<unknown>): Promise<number[]> {
  const start = performance.now();
  const before = pids.map(cpuMsOf);
  await work();
  const elapsed = performance.now() - start;
  return pids.map((pid, index) => (cpuMsOf(pid) - (before[index] ?? 0)) / elapsed);
}

async function changePods(cluster: LargeCluster, seconds: number, perSecond: number): Promise<void> {
  const start = performance.now();
  for (let change = 0; change < seconds * perSecond; change++) {
    await cluster.replacePod();
    await sleep(Math.max(0, start + ((change + 1) * 1000) / perSecond - performance.now()));
  }
}
