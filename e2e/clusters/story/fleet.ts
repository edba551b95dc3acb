/** The running clusters of the story, and the tools that act on them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { eventually } from '@meshrelay/testing';
import { run } from '../lab/command.ts';
import { createBridge } from '../lab/network.ts';
import { type RealCluster, startCluster } from '../lab/real-cluster.ts';
import { NAMESPACE, NODES } from './names.ts';
import type { StoryPlan } from './plan.ts';

/** Milliseconds until pods must be ready, or a policy applied, on a busy machine. */
export const WITHIN = 300_000;
/** Milliseconds between two reads of the objects of a cluster: each read costs the cluster CPU time. */
export const INTERVAL = 200;

export class Fleet implements AsyncDisposable {
  readonly management: RealCluster;
  readonly workloads: readonly RealCluster[];
  /** A kubeconfig with a context for each cluster, named like the cluster. */
  readonly kubeconfig: string;
  readonly #plan: StoryPlan;
  readonly #stack: AsyncDisposableStack;
  #files = 0;

  private constructor(plan: StoryPlan, clusters: readonly RealCluster[], stack: AsyncDisposableStack) {
    const [management, ...workloads] = clusters;
    if (management === undefined) throw new Error('no management cluster');
    this.management = management;
    this.workloads = workloads;
    this.kubeconfig = join(plan.folder, 'kubeconfig');
    this.#plan = plan;
    this.#stack = stack;
    writeFileSync(this.kubeconfig, merged(clusters), { mode: 0o600 });
    mkdirSync(join(plan.folder, 'helm'), { recursive: true });
  }

  /** Starts all clusters at once. */
  static async start(plan: StoryPlan): Promise<Fleet> {
    await using stack = new AsyncDisposableStack();
    await createBridge();
    const { folder, groups, programs, debian, clusterImages: images } = plan;
    const started = await Promise.all(
      Object.entries(NODES).map(async ([name, nodes], index) => {
        const own = { name, number: index + 1, nodes };
        return stack.use(await startCluster({ ...own, folder, groups, programs, debian, images }));
      }),
    );
    return new Fleet(plan, started, stack.move());
  }

  get clusters(): readonly RealCluster[] {
    return [this.management, ...this.workloads];
  }

  /** @throws Error with Helm's output */
  helm(cluster: RealCluster, ...args: readonly string[]): Promise<string> {
    const named = ['--kube-context', cluster.name, '-n', NAMESPACE];
    return run(this.#plan.helm, [...named, ...args], { env: this.#environment(), timeout: WITHIN });
  }

  /** @throws Error with its output */
  meshctl(...args: readonly string[]): Promise<string> {
    return run(process.execPath, [this.#plan.meshctl, ...args], { env: this.#environment(), timeout: WITHIN });
  }

  /** With Helm on PATH. */
  #environment(): Readonly<Record<string, string>> {
    const home = join(this.#plan.folder, 'helm');
    const path = [dirname(this.#plan.helm), process.env['PATH'] ?? ''].join(delimiter);
    return {
      PATH: path,
      KUBECONFIG: this.kubeconfig,
      HELM_CACHE_HOME: home,
      HELM_CONFIG_HOME: home,
      HELM_DATA_HOME: home,
    };
  }

  /** Applies objects by kubectl. @throws Error with the server's message */
  async apply(cluster: RealCluster, objects: readonly object[]): Promise<void> {
    this.#files += 1;
    const file = join(this.#plan.folder, `objects-${this.#files}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    await cluster.kubectl('apply', '--server-side', '-f', file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** Waits until a Deployment has rolled out and its former pods have gone. */
export async function rolledOut(cluster: RealCluster, namespace: string, name: string): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
  let seen: unknown;
  await eventually(
    `Deployment ${namespace}/${name} of ${cluster.name} is rolled out`,
    async () => {
      const { metadata, spec, status } = (await cluster.client.get(path)).body;
      seen = status;
      const current = status?.observedGeneration === metadata?.generation;
      const [replicas, ready] = [spec?.replicas ?? 1, status?.readyReplicas ?? 0];
      return current && status.updatedReplicas === replicas && ready === replicas && status.replicas === replicas;
    },
    { deadline: WITHIN, every: INTERVAL, seen: () => seen },
  );
}

function merged(clusters: readonly RealCluster[]): string {
  const parsed = clusters.map(({ kubeconfig }) => JSON.parse(kubeconfig));
  const all = (field: string): unknown[] => parsed.flatMap((config) => config[field]);
  return JSON.stringify({
    ...parsed[0],
    clusters: all('clusters'),
    users: all('users'),
    contexts: all('contexts'),
  });
}
