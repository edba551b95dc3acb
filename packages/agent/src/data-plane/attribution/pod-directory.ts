/** Maps addresses to the workload of their pod, to attribute access logs and metrics. Stores nothing else of a pod. */

import type { Attribution, WorkloadRef } from '@meshrelay/access-log-sink';
import type { KubeObject } from '@meshrelay/api';
import type { KindSink, ObjectKey } from '@meshrelay/kube';
import type { SeenPod } from './seen-pod.ts';

interface Holder {
  readonly workload: WorkloadRef;
  readonly addresses: readonly string[];
  /** Creation time of the pod; addresses are reused once a pod is deleted. */
  readonly created: string;
}

export class PodDirectory implements Attribution, KindSink {
  readonly cluster: string;
  readonly #pods = new Map<string, Holder>();
  readonly #holders = new Map<string, Holder[]>();
  readonly #workloads = new Map<string, WorkloadRef>();

  constructor(cluster: string) {
    this.cluster = cluster;
  }

  /** Number of addresses that belong to a pod. */
  get size(): number {
    return this.#holders.size;
  }

  /** Number of pods with an address per workload, by `namespace/name`. */
  podCounts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { workload } of this.#pods.values()) {
      const id = `${workload.namespace}/${workload.name}`;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  workloadAt(address: string): WorkloadRef | undefined {
    return this.#holders.get(address)?.[0]?.workload;
  }

  replaceAll(pods: readonly KubeObject[]): void {
    const ids = new Set(pods.map(({ metadata }) => idOf(metadata)));
    for (const id of [...this.#pods.keys()]) if (!ids.has(id)) this.#forget(id);
    for (const pod of pods) this.upsert(pod);
  }

  upsert(object: KubeObject): void {
    const id = idOf(object.metadata);
    this.#forget(id);
    const { workload: name, addresses, created } = object.spec as unknown as SeenPod;
    if (addresses.length === 0) return;
    const workload = this.#workload(object.metadata.namespace ?? '', name);
    const holder: Holder = { workload, addresses, created };
    this.#pods.set(id, holder);
    for (const address of addresses) this.#take(address, holder);
  }

  remove(key: ObjectKey): void {
    this.#forget(idOf(key));
  }

  synced(): void {}

  /**
   * If two pods have the same address, the newer one owns it: the other is deleted, and the watch has not reported that
   * yet.
   */
  #take(address: string, holder: Holder): void {
    const all = [...(this.#holders.get(address) ?? []), holder];
    if (all.length > 1) all.sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0));
    this.#holders.set(address, all);
  }

  #forget(id: string): void {
    const holder = this.#pods.get(id);
    if (holder === undefined) return;
    this.#pods.delete(id);
    for (const address of holder.addresses) {
      const others = (this.#holders.get(address) ?? []).filter((one) => one !== holder);
      if (others.length === 0) this.#holders.delete(address);
      else this.#holders.set(address, others);
    }
  }

  /** One object for all pods of a workload, so callers can compare references first. */
  #workload(namespace: string, name: string): WorkloadRef {
    const key = `${namespace}/${name}`;
    const known = this.#workloads.get(key);
    if (known !== undefined) return known;
    const made = { name, namespace, cluster: this.cluster };
    this.#workloads.set(key, made);
    return made;
  }
}

function idOf({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
