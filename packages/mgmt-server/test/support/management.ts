/** A management cluster with a server in this process, for integration tests. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject, KubernetesClusterStatus } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { connect, meshrelayKind } from '@meshrelay/kube';
import { type KubeSim, type KubeObject as SimObject, startKubeSim } from '@meshrelay/kube-sim';
import {
  CERTIFICATES_SECRET,
  createToken,
  type DeclareOptions,
  readCertificateBook,
  readTokenBook,
  TOKENS_SECRET,
  withTokenBook,
  writeCertificateBook,
} from '@meshrelay/pki';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import { createLogger, RecordingTracer } from '@meshrelay/telemetry';
import { TEST_PLUGINS } from '@meshrelay/test-mesh';
import { temporaryFolder } from '@meshrelay/testing';
import { serverConfig } from '../../src/config/config.ts';
import { type ManagementServer, startManagementServer } from '../../src/mod.ts';
import { SERVER_PEERS } from '../../src/replicas/server-peers.ts';
import type { Convergence } from '../../src/status/convergence.ts';
import { kubernetesCluster } from './discovered.ts';
import { type AgentIdentity, type Dial, register } from './scripted-agent.ts';

const NAMESPACE = 'meshrelay';

/** The first server of this process generates them and the others reuse them, since keys take long to generate. */
const CERTIFICATES = [
  ...['relay-root-tls-secret', 'relay-tls-signing-secret', 'relay-server-tls-secret'],
  SERVER_PEERS.secret,
];
let made: readonly SimObject[] = [];

export class ManagementCluster implements AsyncDisposable {
  readonly sim: KubeSim;
  /** All log lines of the servers. */
  readonly log: string[] = [];
  /** The spans of all servers. */
  readonly tracer: RecordingTracer = new RecordingTracer();
  readonly #folder = temporaryFolder();
  #now: (() => Date) | undefined;

  private constructor(sim: KubeSim) {
    this.sim = sim;
    writeFileSync(join(this.#folder.path, 'kubeconfig'), sim.kubeconfig);
  }

  static async start(
    clusters: readonly string[] = [],
    objects: readonly KubeObject[] = [],
  ): Promise<ManagementCluster> {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    const all = [namespace, ...made, ...crds, ...clusters.map((name) => kubernetesCluster(name)), ...objects];
    const sim = await startKubeSim({ name: 'management', controllers: false, objects: all as unknown as SimObject[] });
    return new ManagementCluster(sim);
  }

  /** Moves the wall clock that the server uses to verify tokens. */
  setNow(now: () => Date): void {
    this.#now = now;
  }

  /** Starts a server, which soon holds the Lease. */
  async startServer(fields: object = {}, plugins: readonly LoadedPlugin[] = TEST_PLUGINS): Promise<ManagementServer> {
    const config = serverConfig.parse({
      namespace: NAMESPACE,
      replica: 'server-0',
      relay: { listen: '127.0.0.1:0', serverNames: ['mgmt-server.meshrelay'] },
      kubernetes: { kubeconfig: join(this.#folder.path, 'kubeconfig') },
      http: { listen: '127.0.0.1:0' },
      health: { listen: '127.0.0.1:0' },
      peers: { listen: '127.0.0.1:0' },
      leaderElection: { leaseDuration: 2000, renewDeadline: 1500, retryPeriod: 100 },
      log: { level: 'debug' },
      ...fields,
    });
    const destination = { write: (line: string) => this.log.push(line) };
    const logger = createLogger({ name: 'mgmt-server', level: 'debug', destination });
    const server = await startManagementServer(config, {
      plugins,
      logger,
      now: () => this.#now?.() ?? new Date(),
      tracer: this.tracer,
    });
    made = CERTIFICATES.flatMap((name) => withoutVersion(this.get('v1', 'Secret', name)) ?? []);
    return server;
  }

  /** The root that agents trust. */
  get roots(): string {
    return this.secret('relay-root-tls-secret')['ca.crt'] ?? '';
  }

  /** Creates a token for a cluster, as `meshctl cluster register` does. @returns its text */
  giveToken(cluster: string, lifetime = 60_000, options: DeclareOptions = {}): string {
    const token = createToken();
    const data = this.secret(TOKENS_SECRET);
    const book = readTokenBook(data).declare(token, cluster, new Date(Date.now() + lifetime), options);
    this.setSecret(TOKENS_SECRET, withTokenBook(data, book));
    return token.reveal();
  }

  /** Revokes all credentials of a cluster's agent, as `meshctl cluster revoke` does. */
  revoke(cluster: string): void {
    const book = readCertificateBook(this.secret(CERTIFICATES_SECRET)).revoke(cluster, new Date());
    this.setSecret(CERTIFICATES_SECRET, writeCertificateBook(book));
  }

  /** Revokes every token of a cluster, as `meshctl token revoke` does. */
  revokeTokens(cluster: string): void {
    const data = this.secret(TOKENS_SECRET);
    this.setSecret(TOKENS_SECRET, withTokenBook(data, readTokenBook(data).revoke(cluster, new Date())));
  }

  setSecret(
    name: string,
    data: Readonly<Record<string, string>>,
    annotations: Readonly<Record<string, string>> | undefined = this.get('v1', 'Secret', name)?.metadata.annotations,
  ): void {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: NAMESPACE, ...(annotations === undefined ? {} : { annotations }) },
      type: 'Opaque',
      data: Object.fromEntries(Object.entries(data).map(([field, value]) => [field, btoa(value)])),
    };
    if (this.get('v1', 'Secret', name) === undefined) this.sim.objects.create(secret);
    else this.sim.objects.update(secret);
  }

  dial(server: ManagementServer, cluster: string, identity?: AgentIdentity): Dial {
    return {
      cluster,
      port: server.relayPort,
      roots: this.roots,
      ...(identity === undefined ? {} : { identity }),
    };
  }

  /** Registers an agent and returns its dial options. */
  async enrol(server: ManagementServer, cluster: string): Promise<Dial> {
    const identity = await register(this.dial(server, cluster), this.giveToken(cluster));
    return this.dial(server, cluster, identity);
  }

  create(object: KubeObject): void {
    this.sim.objects.create(object as unknown as SimObject);
  }

  update(object: KubeObject): void {
    this.sim.objects.update(object as unknown as SimObject);
  }

  /** Writes the status of a registered cluster as servers do. */
  async diagnose({ metadata }: KubeObject, status: KubernetesClusterStatus): Promise<void> {
    await using connection = connect({ text: this.sim.kubeconfig });
    const where = { namespace: NAMESPACE, name: metadata.name };
    const clusters = connection.objects(meshrelayKind('KubernetesCluster'));
    await clusters.applyStatus(where, status, { fieldManager: 'meshrelay-server', force: true });
  }

  delete({ apiVersion, kind, metadata: { name } }: KubeObject): void {
    this.sim.objects.delete({ apiVersion, kind, namespace: NAMESPACE, name });
  }

  get(apiVersion: string, kind: string, name: string): KubeObject | undefined {
    return this.sim.objects.get({ apiVersion, kind, namespace: NAMESPACE, name }) as unknown as KubeObject | undefined;
  }

  /** The present object in the management cluster. */
  live<Status>({ apiVersion, kind, metadata }: KubeObject): KubeObject<unknown, Status> | undefined {
    return this.get(apiVersion, kind, metadata.name) as KubeObject<unknown, Status> | undefined;
  }

  /** Names of the objects of a kind, sorted. */
  names(apiVersion: string, kind: string): string[] {
    return this.sim.objects
      .list({ apiVersion, kind }, NAMESPACE)
      .map(({ metadata }) => metadata.name ?? '')
      .sort();
  }

  secret(name: string): Readonly<Record<string, string>> {
    const { data = {} } = (this.get('v1', 'Secret', name) ?? {}) as { data?: Record<string, string> };
    return Object.fromEntries(Object.entries(data).map(([field, value]) => [field, atob(value)]));
  }

  /** The logged lines with this message. */
  logged(message: string): Array<Record<string, unknown>> {
    return this.log.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sim[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

function withoutVersion(object: KubeObject | undefined): SimObject | undefined {
  if (object === undefined) return undefined;
  const { name, namespace, labels = {} } = object.metadata;
  return { ...object, metadata: { name, namespace, labels } } as unknown as SimObject;
}

/** An answer of the server's HTTP API, below `/api/v1`. */
export async function api(server: ManagementServer, path: string): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${server.httpPort}/api/v1${path}`)).json();
}

/** The items of a collection of the API. */
export async function items(server: ManagementServer, resource: string): Promise<Array<Record<string, unknown>>> {
  return ((await api(server, `/${resource}`)) as { items: Array<Record<string, unknown>> }).items;
}

/** Convergence as the server reports it. */
export async function convergence(server: ManagementServer): Promise<Convergence> {
  return ((await api(server, '')) as { convergence: Convergence }).convergence;
}
