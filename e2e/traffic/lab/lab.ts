/** Clusters with real API servers, istiods and Envoys. They stay up for all fleets; only differences are applied. */
import { HOST } from '@meshrelay/testing/network';
import { crdsIn } from '../../src/mesh-crds.ts';
import { Authorities } from './authorities.ts';
import { takeTurn } from './generation.ts';
import { HostNames } from './host-names.ts';
import { type ClusterState, LabCluster, type LabParts } from './lab-cluster.ts';
import type { LabPrograms } from './programs.ts';
import { addressOf, type ProxySecrets, SecretService } from './secret-service.ts';

export class Lab implements AsyncDisposable {
  readonly #parts: LabParts;
  readonly #stack: AsyncDisposableStack;
  readonly #clusters = new Map<string, LabCluster>();

  private constructor(parts: LabParts, stack: AsyncDisposableStack) {
    this.#parts = parts;
    this.#stack = stack;
  }

  /** No cluster exists until the first fleet. */
  static async start(programs: LabPrograms): Promise<Lab> {
    await using stack = new AsyncDisposableStack();
    const secrets = new Map<string, ProxySecrets>();
    const secretService = stack.use(await SecretService.start(HOST, (node) => secrets.get(addressOf(node))));
    const names = stack.use(new HostNames());
    const parts: LabParts = {
      programs,
      crds: crdsIn(programs.crdFile),
      secrets,
      secretPort: secretService.port,
      authorities: new Authorities(),
      hostAddress: (name) => names.addressOf(name),
    };
    return new Lab(parts, stack.move());
  }

  /** Changes the named clusters to these states. Others are unchanged. */
  async become(states: ReadonlyMap<string, ClusterState>): Promise<void> {
    await Promise.all([...states].map(async ([name, state]) => (await this.#started(name)).become(state)));
    const proxies = [...states.keys()]
      .flatMap((name) => this.cluster(name).pods)
      .filter(({ envoy }) => envoy !== undefined);
    // Gateways first: a connection that ends behind a gateway also ends the one before it.
    await Promise.all(proxies.filter(({ plan }) => plan.gateway).map(takeTurn));
    await Promise.all(proxies.filter(({ plan }) => !plan.gateway).map(takeTurn));
  }

  /** @throws Error if no fleet has had such a cluster yet */
  cluster(name: string): LabCluster {
    const found = this.#clusters.get(name);
    if (found === undefined) throw new Error(`no cluster ${name} in the lab; there are ${[...this.#clusters.keys()]}`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #started(name: string): Promise<LabCluster> {
    const known = this.#clusters.get(name);
    if (known !== undefined) return known;
    const cluster = this.#stack.use(await LabCluster.start(name, this.#parts));
    this.#clusters.set(name, cluster);
    return cluster;
  }
}
