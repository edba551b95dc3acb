/**
 * Clusters that the server reaches directly: those whose registration names a kubeconfig, and its own if it is part of
 * the fleet.
 */
import type { ClusterFacts } from '@meshrelay/relay-core';
import { DirectCluster, type DirectOptions, type DirectSource } from './direct-cluster.ts';

export interface DirectClustersOptions extends DirectOptions {
  /** Name of the server's own cluster, if it participates without an agent. */
  readonly ownCluster?: string | undefined;
}

export class DirectClusters implements AsyncDisposable {
  readonly #options: DirectClustersOptions;
  readonly #clusters = new Map<string, DirectCluster>();
  /** Clusters that are stopping: one that is registered again starts when its old run has ended. */
  readonly #ending = new Map<string, Promise<void>>();
  #desired: ReadonlyMap<string, DirectSource> = new Map();

  constructor(options: DirectClustersOptions) {
    this.#options = options;
  }

  /** Sets the complete list of registrations. */
  follow(registered: Iterable<ClusterFacts>): void {
    const desired = new Map<string, DirectSource>();
    for (const facts of registered) {
      const source = this.#sourceOf(facts);
      if (source !== undefined) desired.set(facts.name, source);
    }
    this.#desired = desired;
    this.#reconcile();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.follow([]);
    await Promise.all(this.#ending.values());
  }

  #sourceOf({ name, secretName }: ClusterFacts): DirectSource | undefined {
    if (secretName !== undefined) return { secretName };
    return name === this.#options.ownCluster ? { own: true } : undefined;
  }

  #reconcile(): void {
    for (const [name, cluster] of this.#clusters)
      if (!isSame(cluster.source, this.#desired.get(name))) this.#end(name, cluster);
    for (const [name, source] of this.#desired)
      if (!this.#clusters.has(name) && !this.#ending.has(name))
        this.#clusters.set(name, new DirectCluster(name, source, this.#options));
  }

  #end(name: string, cluster: DirectCluster): void {
    this.#clusters.delete(name);
    const ended = cluster[Symbol.asyncDispose]()
      .catch((error: unknown) =>
        this.#options.logger.error('the controllers of a cluster cannot be stopped', { cluster: name, error }),
      )
      .then(() => {
        this.#ending.delete(name);
        this.#reconcile();
      });
    this.#ending.set(name, ended);
  }
}

function isSame(a: DirectSource, b: DirectSource | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
