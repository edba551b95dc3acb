/** One cluster that the server reaches directly: by a kubeconfig, or because the server runs in it. */
import { type ApplyCounters, type ElectionError, runCluster } from '@meshrelay/cluster-controllers';
import { SequentialQueue } from '@meshrelay/concurrency';
import type { ElectionConfig } from '@meshrelay/host';
import { connect, isKubeError, type KubeConnection, Secrets, watchSecret } from '@meshrelay/kube';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import type { LoopbackRelay } from '@meshrelay/relay-protocol';
import type { Logger, Tracer } from '@meshrelay/telemetry';
import type { MeshIssuer } from '../certificates/mesh-issuer.ts';
import { PROGRAM } from '../program.ts';
import { problemText } from './api-server-problem.ts';

export const KUBECONFIG_KEY = 'kubeconfig';

/** Options that all directly reached clusters share. */
export interface DirectOptions {
  /** Connection to the management cluster. */
  readonly connection: KubeConnection;
  /** The management namespace; in the cluster, the namespace of its Lease and OutputLedger. */
  readonly namespace: string;
  readonly replica: string;
  readonly leaderElection: ElectionConfig;
  readonly plugins: readonly LoadedPlugin[];
  readonly loopback: LoopbackRelay;
  readonly issuer: Pick<MeshIssuer, 'sign'>;
  readonly counters: ApplyCounters;
  /** Receives the reason why a cluster cannot be reached, or undefined when it can again. */
  readonly setProblem: (cluster: string, problem: string | undefined) => void;
  readonly tracer: Tracer;
  readonly logger: Logger;
}

/** Source of the credential for a cluster. */
export type DirectSource =
  /** A Secret of the management namespace, by its name. */
  | { readonly secretName: string }
  /** The server's own connection. */
  | { readonly own: true };

/** Acts as the cluster's agent from construction until disposal. Follows changes of the kubeconfig. */
export class DirectCluster implements AsyncDisposable {
  readonly source: DirectSource;
  readonly #cluster: string;
  readonly #options: DirectOptions;
  readonly #watch: AsyncDisposable | undefined;
  #running: { readonly member: AsyncDisposable; readonly connection: AsyncDisposable | undefined } | undefined;
  #kubeconfig: string | undefined;
  /** Problem of the new kubeconfig. */
  #unusable: string | undefined;
  /** Problem of the kubeconfig in use. */
  #unreached: string | undefined;
  readonly #checks = new SequentialQueue();
  #ended = false;

  constructor(cluster: string, source: DirectSource, options: DirectOptions) {
    this.#cluster = cluster;
    this.source = source;
    this.#options = options;
    if ('own' in source) {
      this.#start(options.connection);
      return;
    }
    const { connection, namespace } = options;
    this.#watch = watchSecret(connection, { namespace, name: source.secretName, changed: () => this.#check() });
    this.#check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#watch?.[Symbol.asyncDispose]();
    await this.#checks.idle();
    await this.#stop();
  }

  /** One check after the other: the last state counts. */
  #check(): void {
    this.#checks
      .run(() => this.#ingest())
      .catch((error: unknown) => this.#fails(`its kubeconfig cannot be read: ${(error as Error).message}`, error));
  }

  async #ingest(): Promise<void> {
    const { connection: management, namespace } = this.#options;
    if (this.#ended || !('secretName' in this.source)) return;
    const { secretName } = this.source;
    const text = (await new Secrets(management, namespace).read(secretName))?.data[KUBECONFIG_KEY];
    if (text !== undefined && text === this.#kubeconfig) return;
    const where = `Secret ${namespace}/${secretName}`;
    if (text === undefined) {
      // A missing credential stops nothing that already runs. The user who deletes it also ends the registration, if
      // that is intended.
      this.#fails(`${where} has no ${KUBECONFIG_KEY}; add one, or remove spec.secretName so that an agent can connect`);
      return;
    }
    try {
      const connection = connect({ text }, { replica: this.#options.replica });
      await this.#stop();
      this.#kubeconfig = text;
      this.#unusable = undefined;
      this.#unreached = undefined;
      this.#announce();
      this.#start(connection, connection);
    } catch (error) {
      if (!isKubeError(error, 'RELAY_E_KUBE_CONFIG')) throw error;
      this.#fails(`${where}: ${error.message}`, error);
    }
  }

  #start(connection: KubeConnection, owned?: AsyncDisposable): void {
    const { namespace, replica, leaderElection, plugins, loopback, issuer, counters, tracer } = this.#options;
    const cluster = this.#cluster;
    const logger = this.#options.logger.with({ cluster });
    const member = runCluster({
      config: { namespace, managementNamespace: namespace, relay: { cluster }, leaderElection },
      replica,
      program: PROGRAM,
      connection,
      plugins,
      rightsFlags: 'own' in this.source ? ['--server', '--direct'] : ['--direct'],
      transport: () => ({
        to: 'this server',
        sign: (request) => issuer.sign(request, cluster),
        runTransport: (streams) => loopback.runTransport(cluster, streams),
      }),
      counters,
      onElection: (failure) => this.#election(failure),
      logger,
      tracer,
    });
    this.#running = { member, connection: owned };
    logger.info('cluster is reached directly');
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.member[Symbol.asyncDispose]();
    await running?.connection?.[Symbol.asyncDispose]();
  }

  /** All replicas contend for the Lease with the same kubeconfig, so each one detects the problem itself. */
  #election(failure: ElectionError): void {
    const { namespace } = this.#options;
    const cluster = this.#cluster;
    const secret = 'secretName' in this.source ? `${namespace}/${this.source.secretName}` : undefined;
    this.#unreached = failure === undefined ? undefined : problemText(failure, { cluster, secret });
    this.#announce();
  }

  #announce(): void {
    this.#options.setProblem(this.#cluster, this.#unusable ?? this.#unreached);
  }

  #fails(problem: string, error?: unknown): void {
    if (this.#unusable === problem) return;
    this.#unusable = problem;
    this.#announce();
    this.#options.logger.error('cluster cannot be reached directly', { cluster: this.#cluster, problem, error });
  }
}
