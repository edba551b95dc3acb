/** Two clusters of real Envoys under one virtual mesh, with the real server between their agents. */
import { apiVersionOf, type KindName, type KubeObject, type PolicyStatus } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import {
  joinCluster,
  NAMESPACE,
  RunFolder,
  type RunningCluster,
  startCluster,
  startServer,
  until,
} from '@meshrelay/local-fleet';
import { temporaryFolder } from '@meshrelay/testing';
import type { EnvoyProgram } from '@meshrelay/testing/envoy';
import { type Surroundings, TIMEOUT_MS, WorkloadCluster, type WorkloadClusterPlan } from './workload-cluster.ts';

const LEADER_ELECTION = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 1000 };
/** The management cluster's address range overlaps with no other. */
const NETWORK = 90;

/** Shorthand for a policy; it is created in the management namespace. */
export interface Policy {
  readonly kind: KindName;
  readonly name: string;
  readonly spec: object;
}

export class Fixture implements AsyncDisposable {
  readonly clusters: ReadonlyMap<string, WorkloadCluster>;
  readonly #management: RunningCluster;
  readonly #around: Surroundings;

  private constructor(clusters: readonly WorkloadCluster[], management: RunningCluster, around: Surroundings) {
    this.clusters = new Map(clusters.map((cluster) => [cluster.plan.name, cluster]));
    this.#management = management;
    this.#around = around;
  }

  static async start(
    program: EnvoyProgram,
    plans: readonly WorkloadClusterPlan[],
    policies: readonly Policy[],
    moduleHosts: readonly string[],
  ): Promise<Fixture> {
    const cleanup = new AsyncDisposableStack();
    const stop = new AbortController();
    try {
      cleanup.defer(() => stop.abort());
      const place = cleanup.use(temporaryFolder());
      const folder = cleanup.use(new RunFolder('traffic', place.path));
      const around = { program, folder, cleanup, moduleHosts, signal: stop.signal };
      const management = await startManagement(around);
      const relayPort = await serve(management, around);
      const clusters = await Promise.all(plans.map((plan) => WorkloadCluster.start(plan, around)));
      await Promise.all(clusters.map((cluster) => cluster.join(management, relayPort)));
      const fleet = new Fixture(clusters, management, around);
      for (const policy of policies) await fleet.put(policy);
      await Promise.all(clusters.map((cluster) => cluster.startPods()));
      return fleet;
    } catch (error) {
      await cleanup.disposeAsync();
      throw error;
    }
  }

  cluster(name: string): WorkloadCluster {
    const found = this.clusters.get(name);
    if (found === undefined) throw new Error(`no cluster ${name}`);
    return found;
  }

  /** Creates a policy, or changes its spec. */
  async put({ kind, name, spec }: Policy): Promise<void> {
    const of = meshrelayKind(kind);
    const apiVersion = apiVersionOf(of);
    const object = { apiVersion, kind, metadata: { name, namespace: NAMESPACE }, spec } as unknown as KubeObject;
    // Applied as by kubectl: the server may write the policy's status at the same moment.
    await this.#management.connection.objects(of).apply(object);
  }

  /** Deletes a policy. */
  async remove({ kind, name }: Pick<Policy, 'kind' | 'name'>): Promise<void> {
    await this.#management.connection.objects(meshrelayKind(kind)).delete({ namespace: NAMESPACE, name });
  }

  /** The status of a policy at its current generation; undefined while the server has not evaluated it. */
  async status<S extends PolicyStatus = PolicyStatus>({
    kind,
    name,
  }: Pick<Policy, 'kind' | 'name'>): Promise<S | undefined> {
    const policy = await this.#management.connection.objects(meshrelayKind(kind)).read({ namespace: NAMESPACE, name });
    const status = policy?.status as S | undefined;
    return status?.observedGeneration === policy?.metadata.generation ? status : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#around.cleanup.disposeAsync();
  }
}

async function startManagement({ folder, cleanup }: Surroundings): Promise<RunningCluster> {
  const plan = { name: 'management', region: 'management', network: NETWORK, manifests: [], crds: [], agents: 0 };
  const management = joinCluster(plan, cleanup.use(await startCluster(plan)), folder);
  cleanup.use(management.connection);
  return management;
}

async function serve({ kubeconfig }: RunningCluster, { folder, cleanup, signal }: Surroundings): Promise<number> {
  const ports = { relay: 0, http: 0 };
  const options = { name: 'mgmt-server', kubeconfig, folder, ports, leaderElection: LEADER_ELECTION };
  const server = cleanup.use(startServer(options));
  const line = await until('the server', { signal, timeout: TIMEOUT_MS }, () =>
    server.logged('management server started'),
  );
  return Number(line['relayPort']);
}
