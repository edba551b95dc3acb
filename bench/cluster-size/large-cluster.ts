/** A real API server with the objects of a large cluster, which may be filled and changed. */
import { mapConcurrent } from '@meshrelay/concurrency';
import { Client, type Reply, targetOf } from '@meshrelay/testing/api-server';
import { type ClusterSize, clusterObjects, endpointsOf, type PlacedObject, podName, podOf } from './objects.ts';

/** Requests at a time while the cluster is filled. */
const AT_ONCE = 24;

export class LargeCluster implements Disposable {
  readonly #client: Client;
  readonly #size: ClusterSize;
  /** How often each pod was replaced. */
  readonly #generations = new Map<number, number>();
  #changed = 0;

  private constructor(client: Client, size: ClusterSize) {
    this.#client = client;
    this.#size = size;
  }

  /** Creates all objects. @throws Error with the server's answer to the first that it refuses */
  static async fill(kubeconfig: string, size: ClusterSize): Promise<LargeCluster> {
    const cluster = new LargeCluster(new Client(targetOf(kubeconfig)), size);
    for (const step of clusterObjects(size)) await mapConcurrent(step, AT_ONCE, (one) => cluster.#create(one));
    return cluster;
  }

  /** Replaces a pod by another with a new name and address, as a rollout does. */
  async replacePod(): Promise<void> {
    // Far from the previous one, so that no Service changes twice in a row.
    const index = (this.#changed++ * 397) % this.#size.pods;
    const generation = (this.#generations.get(index) ?? 0) + 1;
    const before = podOf({ index, generation: generation - 1, nodes: this.#size.nodes });
    this.#generations.set(index, generation);
    await this.#create(podOf({ index, generation, nodes: this.#size.nodes }));
    const slice = endpointsOf(index, (pod) => this.#generations.get(pod) ?? 0);
    await this.#send('PUT', `${slice.path}/${slice.object.metadata.name}`, slice.object);
    await this.#send('DELETE', `${before.path}/${podName(index, generation - 1)}`, { gracePeriodSeconds: 0 });
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  async #create({ path, object, status }: PlacedObject): Promise<void> {
    await this.#send('POST', path, object);
    if (status === undefined) return;
    const at = `${path}/${object.metadata.name}/status`;
    const reply = await this.#client.patch(at, 'merge', { status });
    refuse(reply, `PATCH ${at}`);
  }

  async #send(method: string, path: string, body: unknown): Promise<void> {
    refuse(await this.#client.send(method, path, { body }), `${method} ${path}`);
  }
}

function refuse({ status, text }: Reply, request: string): void {
  if (status >= 300) throw new Error(`${request} answered ${status}: ${text.slice(0, 500)}`);
}
