/** A server and two replicas of one agent as processes, with a pod for each, and a proxy that sends to each. */
import { crds } from '@meshrelay/api/crds';
import { registerCluster } from '@meshrelay/cli';
import { type KubeObject, startKubeSim } from '@meshrelay/kube-sim';
import {
  type ClusterPlan,
  joinCluster,
  NAMESPACE,
  type Program,
  RunFolder,
  type RunningCluster,
  startAgent,
  startServer,
  until,
} from '@meshrelay/local-fleet';
import { LogSender } from './log-sender.ts';

export const CLUSTER = 'cluster-1';
export const TIMEOUT_MS = { signal: new AbortController().signal, timeout: 180_000 };
const ELECTION = { leaseDuration: 6000, renewDeadline: 4000, retryPeriod: 1000 };
const LEASE = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true };

/** A replica of the agent. */
export interface ObservedReplica {
  readonly name: string;
  readonly program: Program;
  readonly sender: LogSender;
  readonly statsPort: number;
}

export class ObservedFleet implements AsyncDisposable {
  readonly replicas = new Map<string, ObservedReplica>();
  readonly folder: RunFolder;
  readonly url: string;
  readonly #workload: RunningCluster;
  readonly #relayPort: number;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(parts: Pick<ObservedFleet, 'folder' | 'url'>, own: OwnParts) {
    this.folder = parts.folder;
    this.url = parts.url;
    this.#workload = own.workload;
    this.#relayPort = own.relayPort;
    this.#cleanup = own.cleanup;
  }

  static async start(names: readonly string[]): Promise<ObservedFleet> {
    await using cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(new RunFolder('observed'));
    const management = await clusterOf('management', folder, cleanup);
    const workload = await clusterOf(CLUSTER, folder, cleanup);
    const { kubeconfig } = management;
    const ports = { relay: 0, http: 0 };
    const server = cleanup.use(startServer({ name: 'server-0', kubeconfig, folder, ports, leaderElection: ELECTION }));
    const started = await until('the server to start', TIMEOUT_MS, () => server.logged('management server started'));
    const own = { workload, relayPort: Number(started['relayPort']), cleanup: new AsyncDisposableStack() };
    const fleet = new ObservedFleet({ folder, url: `http://127.0.0.1:${started['httpPort']}` }, own);
    // Agents end before the server and the clusters.
    cleanup.use(own.cleanup);
    await registerCluster({
      cluster: CLUSTER,
      management: management.connection,
      workload: workload.connection,
      namespace: NAMESPACE,
      tokenLifetime: 3_600_000,
      timeout: TIMEOUT_MS.timeout,
      signal: TIMEOUT_MS.signal,
      now: () => new Date(),
      step: () => undefined,
      startAgent: async () => {
        for (const name of names) await fleet.startReplica(name);
        return 'started';
      },
    });
    const all = cleanup.move();
    own.cleanup.use(all);
    return fleet;
  }

  /** Starts another replica; its pod exists as soon as it listens. */
  async startReplica(name: string): Promise<ObservedReplica> {
    const { kubeconfig, sim } = this.#workload;
    const spec = { name, cluster: CLUSTER, kubeconfig, folder: this.folder, relayPort: this.#relayPort };
    const program = this.#cleanup.use(startAgent({ ...spec, leaderElection: ELECTION }));
    const line = await until(`${name} to start`, TIMEOUT_MS, () => program.logged('agent started'));
    const pod = sim.objects.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: NAMESPACE, labels: { 'app.kubernetes.io/name': 'meshrelay-agent' } },
      spec: { containers: [{ name: 'agent', ports: [{ name: 'peers', containerPort: Number(line['peersPort']) }] }] },
    } as unknown as KubeObject);
    const running = { ...pod, status: { phase: 'Running', podIP: '127.0.0.1' } };
    sim.objects.update(running as unknown as KubeObject, { subresource: 'status' });
    const sender = this.#cleanup.use(new LogSender(Number(line['dataPlanePort'])));
    const replica = { name, program, sender, statsPort: Number(line['statsPort']) };
    this.replicas.set(name, replica);
    return replica;
  }

  /** The running one that holds the Lease. */
  async leader(): Promise<ObservedReplica> {
    return until('a leader', TIMEOUT_MS, async () => {
      const lease = await this.#workload.connection
        .objects(LEASE)
        .read({ namespace: NAMESPACE, name: 'meshrelay-agent' });
      const holder = (lease?.spec as { readonly holderIdentity?: string } | undefined)?.holderIdentity ?? '';
      return [...this.replicas.values()].find(({ name, program }) => program.running && holder.startsWith(name));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}

interface OwnParts {
  readonly workload: RunningCluster;
  readonly relayPort: number;
  readonly cleanup: AsyncDisposableStack;
}

async function clusterOf(name: string, folder: RunFolder, cleanup: AsyncDisposableStack): Promise<RunningCluster> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  const sim = cleanup.use(
    await startKubeSim({ name, controllers: false, objects: [...(crds as unknown as KubeObject[]), namespace] }),
  );
  const plan: ClusterPlan = { name, region: 'here', manifests: [], crds: [], network: 1, agents: 0 };
  const cluster = joinCluster(plan, sim, folder);
  cleanup.use(cluster.connection);
  return cluster;
}
