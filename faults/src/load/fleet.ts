/** The servers of the load with their management cluster, and identities of agents without clusters. */

import { FaultProxy } from '@meshrelay/fault-proxy';
import { Secrets } from '@meshrelay/kube';
import {
  joinCluster,
  NAMESPACE,
  type Program,
  RunFolder,
  type RunningCluster,
  startCluster,
  startServer,
  until,
} from '@meshrelay/local-fleet';
import {
  createCsr,
  createToken,
  generateKey,
  readTokenBook,
  TOKENS_SECRET,
  withTokenBook,
  writePrivateKey,
} from '@meshrelay/pki';
import { ROOT_SECRET } from '@meshrelay/relay-core';
import { connectRelay } from '@meshrelay/relay-protocol';
import { FULL } from '../fleet/scale.ts';
import { LeaseRenewals } from './lease-renewals.ts';
import type { AgentPlan } from './messages.ts';

const STARTED = 'management server started';
const CLUSTER = { name: 'management', region: 'eu', manifests: [], crds: [], network: 10, agents: 0 };

/** Everything that agents need to dial in. */
export interface Identities {
  readonly agents: readonly AgentPlan[];
  /** PEM. */
  readonly roots: string;
  /** PEM of the key that all of them share. */
  readonly key: string;
}

export class LoadFleet implements AsyncDisposable {
  readonly programs: Program[] = [];
  /** Of the servers' Lease. */
  readonly renewals: LeaseRenewals;
  readonly #folder: RunFolder;
  readonly #management: RunningCluster;
  readonly #services: FaultProxy[] = [];
  readonly #cleanup: AsyncDisposableStack;
  readonly #timeoutMs: { readonly signal: AbortSignal; readonly timeout: number };

  private constructor(
    management: RunningCluster,
    renewals: LeaseRenewals,
    folder: RunFolder,
    timeoutMs: { readonly signal: AbortSignal; readonly timeout: number },
    cleanup: AsyncDisposableStack,
  ) {
    this.#management = management;
    this.renewals = renewals;
    this.#folder = folder;
    this.#timeoutMs = timeoutMs;
    this.#cleanup = cleanup;
  }

  static async start(
    servers: number,
    timeoutMs: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<LoadFleet> {
    await using cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(new RunFolder('load'));
    const renewals = new LeaseRenewals();
    const sim = cleanup.use(await startCluster(CLUSTER, { recordWrite: (record) => renewals.record(record) }));
    const management = joinCluster(CLUSTER, sim, folder);
    cleanup.use(management.connection);
    const ended = new AsyncDisposableStack();
    const fleet = new LoadFleet(management, renewals, folder, timeoutMs, ended);
    for (let index = 0; index < servers; index++) {
      cleanup.use(await fleet.startServer(index));
      // Plays the part of a Service: a restarted server listens on another port.
      fleet.#services.push(cleanup.use(await FaultProxy.start(() => portOf(fleet.programs[index]))));
    }
    ended.use(cleanup.move());
    return fleet;
  }

  /** Starts or restarts a server. */
  async startServer(index: number): Promise<Program> {
    const name = `mgmt-server-${index}`;
    const { kubeconfig } = this.#management;
    const program = startServer({
      name,
      kubeconfig,
      folder: this.#folder,
      ports: { relay: 0, http: 0 },
      leaderElection: FULL.election,
    });
    this.programs[index] = program;
    this.#cleanup.use(program);
    await until(`${name} to start`, this.#timeoutMs, () => program.logged(STARTED));
    return program;
  }

  /** Kills every server and starts them all. Resolves when they listen. */
  async restart(): Promise<void> {
    for (const program of this.programs) program.signal('SIGKILL');
    await Promise.all(this.programs.map((program) => program.ended()));
    await Promise.all(this.programs.map((_, index) => this.startServer(index)));
  }

  /** Declares clusters and registers an agent for each, with the relay's own registration. */
  async register(count: number): Promise<Identities> {
    const names = Array.from({ length: count }, (_, index) => `load-${String(index).padStart(4, '0')}`);
    const secrets = new Secrets(this.#management.connection, NAMESPACE);
    const tokens = new Map(names.map((name) => [name, createToken()]));
    await secrets.update(TOKENS_SECRET, (before) => {
      const expires = new Date(Date.now() + 3_600_000);
      const book = [...tokens].reduce((all, [name, token]) => all.declare(token, name, expires), readTokenBook(before));
      return withTokenBook(before, book);
    });
    for (const name of names) this.#declare(name);
    const roots = (await secrets.read(ROOT_SECRET))?.data['ca.crt'] ?? '';
    // One key for all, since the load does not measure key generation.
    const key = await generateKey('agent');
    const csrPem = await createCsr({ key });
    const agents: AgentPlan[] = [];
    for (const [index, name] of names.entries()) {
      const address = `127.0.0.1:${this.#services[index % this.#services.length]?.port}`;
      const certificate = await this.#certificate(
        { cluster: name, address, roots, csrPem },
        tokens.get(name)?.reveal() ?? '',
      );
      agents.push({ cluster: name, address, certificate });
    }
    return { agents, roots, key: writePrivateKey(key) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup.disposeAsync();
  }

  #declare(name: string): void {
    const metadata = { name, namespace: NAMESPACE };
    const apiVersion = 'multicluster.meshrelay.dev/v1alpha1';
    this.#management.sim.objects.create({ apiVersion, kind: 'KubernetesCluster', metadata, spec: {} } as never);
  }

  /** Retried until the server has observed the declaration. */
  async #certificate(
    { cluster, address, roots, csrPem }: { cluster: string; address: string; roots: string; csrPem: string },
    token: string,
  ): Promise<string> {
    using connection = connectRelay({ address, authority: 'mgmt-server.meshrelay', roots, cluster });
    let rejection = '';
    const ask = async (): Promise<string | undefined> => {
      try {
        return (await connection.register({ token, csrPem, program: 'load' })).certificatePem;
      } catch (error) {
        rejection = error instanceof Error ? error.message : String(error);
        return undefined;
      }
    };
    return await until(`${cluster} to be registered`, { ...this.#timeoutMs, missing: () => rejection }, ask);
  }
}

function portOf(program: Program | undefined): { readonly port: number } | undefined {
  const line = program?.running === true ? program.lines().find(({ msg }) => msg === STARTED) : undefined;
  return line === undefined ? undefined : { port: Number(line['relayPort']) };
}
