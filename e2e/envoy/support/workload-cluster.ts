/**
 * A cluster with running pods: each has its own network, with its application and a real Envoy, configured by the
 * cluster's real agent.
 */
import { join } from 'node:path';
import { registerCluster } from '@meshrelay/cli';
import type { KubeObject } from '@meshrelay/kube-sim';
import {
  envoyFiles,
  joinCluster,
  NAMESPACE,
  type Program,
  type RunFolder,
  type RunningCluster,
  startAgent,
  startCluster,
  until,
} from '@meshrelay/local-fleet';
import { bootstrap } from '@meshrelay/plugin-envoy';
import { type Envoy, type EnvoyProgram, startEnvoy } from '@meshrelay/testing/envoy';
import { HOST, Pod } from '@meshrelay/testing/network';
import { type App, type Edge, GATEWAYS, manifests, SHOP } from './manifests.ts';

export interface WorkloadClusterPlan {
  readonly name: string;
  /** Second octet of its addresses. */
  readonly network: number;
  readonly apps: readonly App[];
  readonly edges: readonly Edge[];
}

/** The workload of one pod. */
export interface RunningPod {
  readonly pod: Pod;
  readonly envoy: Envoy;
}

export interface Surroundings {
  readonly program: EnvoyProgram;
  readonly folder: RunFolder;
  readonly cleanup: AsyncDisposableStack;
  /** The address from which agents may fetch modules. */
  readonly moduleHosts: readonly string[];
  readonly signal: AbortSignal;
}

/** Milliseconds: all programs start in parallel, on a machine that may be busy. */
export const TIMEOUT_MS = 240_000;
const LEADER_ELECTION = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 1000 };
const APPLICATION = join(import.meta.dirname, 'application.ts');

export class WorkloadCluster {
  readonly plan: WorkloadClusterPlan;
  readonly #running: RunningCluster;
  readonly #around: Surroundings;
  readonly #pods = new Map<string, RunningPod>();
  #agent: Program | undefined;
  #agentPort = 0;
  #relayPort = 0;

  private constructor(plan: WorkloadClusterPlan, running: RunningCluster, around: Surroundings) {
    this.plan = plan;
    this.#running = running;
    this.#around = around;
  }

  static async start(plan: WorkloadClusterPlan, around: Surroundings): Promise<WorkloadCluster> {
    const { folder, cleanup } = around;
    const { name, network } = plan;
    const file = folder.write(`${name}.yaml`, manifests(plan.apps, plan.edges));
    const whole = { name, region: name, network, manifests: [file], crds: [], agents: 1 };
    const sim = cleanup.use(await startCluster(whole));
    const running = joinCluster(whole, sim, folder);
    cleanup.use(running.connection);
    return new WorkloadCluster(plan, running, around);
  }

  /** Registers the cluster, and starts its agent. */
  async join(management: RunningCluster, relayPort: number): Promise<void> {
    this.#relayPort = relayPort;
    await registerCluster({
      cluster: this.plan.name,
      management: management.connection,
      workload: this.#running.connection,
      namespace: NAMESPACE,
      tokenLifetime: 3_600_000,
      timeout: TIMEOUT_MS,
      signal: this.#around.signal,
      now: () => new Date(),
      step: () => {},
      startAgent: async () => {
        await this.startAgent();
        return 'agent started';
      },
    });
  }

  /** On its previous port, if any. */
  async startAgent(): Promise<void> {
    const { folder, cleanup, moduleHosts, signal } = this.#around;
    const { name } = this.plan;
    const wasm = { hosts: moduleHosts, cacheDirectory: join(folder.path, `modules-${name}`) };
    const agent = cleanup.use(
      startAgent({
        name: `agent-${name}`,
        cluster: name,
        kubeconfig: this.#running.kubeconfig,
        folder,
        relayPort: this.#relayPort,
        leaderElection: LEADER_ELECTION,
        config: { dataPlane: { listen: `${HOST}:${this.#agentPort}`, serverNames: [HOST] }, wasm },
      }),
    );
    const line = await until(`the agent of ${name}`, { signal, timeout: TIMEOUT_MS }, () =>
      agent.logged('agent started'),
    );
    this.#agentPort = Number(line['dataPlanePort']);
    this.#agent = agent;
  }

  /** Kills the agent, as a crash would. */
  async killAgent(): Promise<void> {
    this.#agent?.signal('SIGKILL');
    await this.#agent?.ended();
  }

  /** Starts every pod: application first, then its Envoy. */
  async startPods(): Promise<void> {
    const pods = this.#running.sim.objects.list({ apiVersion: 'v1', kind: 'Pod' });
    await Promise.all(pods.map((pod) => this.#startPod(pod)));
  }

  /** Running pods of an application, by name and version; of a gateway, by name. */
  running(workload: string): RunningPod {
    const found = this.#pods.get(workload);
    if (found === undefined) throw new Error(`nothing runs for ${workload} in ${this.plan.name}`);
    return found;
  }

  get all(): readonly RunningPod[] {
    return [...this.#pods.values()];
  }

  object(apiVersion: string, kind: string, namespace: string, name: string): KubeObject | undefined {
    return this.#running.sim.objects.get({ apiVersion, kind, namespace, name });
  }

  /** All of a kind. */
  objects(apiVersion: string, kind: string): readonly KubeObject[] {
    return this.#running.sim.objects.list({ apiVersion, kind });
  }

  async #startPod(object: KubeObject): Promise<void> {
    const { namespace = '', labels = {} } = object.metadata;
    const { app = '', version } = labels;
    const workload = namespace === GATEWAYS ? app : `${app}-${version}`;
    const edge = this.plan.edges.find((one) => one.name === app);
    const addresses = [object['status'].podIP as string, ...(edge === undefined ? [] : [edge.address])];
    const { cleanup, folder, program, signal } = this.#around;
    const pod = cleanup.use(await Pod.start({ application: APPLICATION, addresses }));
    const served = this.plan.apps.find((one) => namespace === SHOP && one.name === app);
    await pod.do('serve', { as: `${workload}.${this.plan.name}`, http: served?.http, grpc: served?.grpc });
    const files = cleanup.use(await envoyFiles(this.#running, object, folder, { signal, timeout: TIMEOUT_MS }));
    const made = bootstrap({
      workload,
      namespace,
      agent: `${HOST}:${this.#agentPort}`,
      tokenFile: files.tokenFile,
      rootsFile: files.rootsFile,
    });
    const envoy = cleanup.use(
      await startEnvoy(program, made, { within: pod.within, host: pod.address, until: 'live' }),
    );
    this.#pods.set(workload, { pod, envoy });
  }
}
