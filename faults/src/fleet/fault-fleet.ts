/** A fleet whose connections can be cut, whose API servers can fail, and whose writes are all recorded. */
import { randomBytes } from 'node:crypto';
import type { KindName } from '@meshrelay/api';
import { registerCluster, registerDirect } from '@meshrelay/cli';
import { FaultProxy, type Upstream } from '@meshrelay/fault-proxy';
import { meshrelayKind } from '@meshrelay/kube';
import type { Actor, WriteRecord } from '@meshrelay/kube-sim';
import {
  type ClusterPlan,
  type Converged,
  converge,
  joinCluster,
  NAMESPACE,
  RunFolder,
  type RunningCluster,
  ServerApi,
  startAgent,
  startCluster,
  startServer,
  until,
} from '@meshrelay/local-fleet';
import { History } from '../history/history.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import type { FleetPlan } from './plans.ts';
import { Replica } from './replica.ts';
import type { Scale } from './scale.ts';
import { SharedRedis } from './shared-redis.ts';

const SERVER_LEASE = 'meshrelay-mgmt-server';
const LEASE = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true };
/** The Lease of a cluster's agent. */
export const AGENT_LEASE = 'meshrelay-agent';
/** Milliseconds in which a busy machine starts a program, or a fleet converges. */
export const TIMEOUT_MS = 120_000;

export class FaultFleet implements AsyncDisposable {
  readonly plan: FleetPlan;
  readonly scale: Scale;
  readonly folder: RunFolder;
  readonly history: History;
  readonly management: RunningCluster;
  readonly workloads: readonly RunningCluster[];
  readonly servers: readonly Replica[];
  readonly agents: readonly Replica[];
  readonly #redis: SharedRedis | undefined;
  /** Private values that a run must not find outside their place: see the canaries. */
  readonly secrets: ReadonlySet<string>;
  readonly #routing: Routing;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(parts: Parts) {
    ({ plan: this.plan, scale: this.scale, folder: this.folder, history: this.history } = parts);
    ({ management: this.management, workloads: this.workloads, servers: this.servers, agents: this.agents } = parts);
    this.secrets = parts.secrets;
    this.#redis = parts.redis;
    this.#routing = parts.routing;
    this.#cleanup = parts.cleanup;
  }

  /** Starts the fleet, registers its clusters, applies its policies and waits until it has converged. */
  static async start(plan: FleetPlan, scale: Scale, signal: AbortSignal): Promise<FaultFleet> {
    await using cleanup = new AsyncDisposableStack();
    const parts = await new FleetBuilder(plan, scale, cleanup).build(signal);
    const ended = new AsyncDisposableStack();
    const fleet = new FaultFleet({ ...parts, cleanup: ended });
    await fleet.settled(signal);
    ended.use(cleanup.move());
    return fleet;
  }

  /** The Redis that the servers share. @throws Error if they share none */
  get redis(): SharedRedis {
    if (this.#redis === undefined) throw new Error('the servers of this fleet share no Redis');
    return this.#redis;
  }

  get replicas(): readonly Replica[] {
    return [...this.servers, ...this.agents];
  }

  /** @throws Error if none has that name */
  cluster(name: string): RunningCluster {
    const found = [this.management, ...this.workloads].find(({ plan }) => plan.name === name);
    if (found === undefined) throw new Error(`the fleet has no cluster ${name}`);
    return found;
  }

  /** The replicas of a cluster's agent; in direct mode the servers, which do the agent's work. */
  agentsOf(cluster: string): readonly Replica[] {
    return this.plan.direct ? this.servers : this.agents.filter((replica) => replica.cluster === cluster);
  }

  /** Holder of the Lease of a cluster's agent; undefined without a holder, or if the holder does not run any more. */
  async leader(cluster: string): Promise<Replica | undefined> {
    const lease = await this.cluster(cluster)
      .connection.objects(LEASE)
      .read({ namespace: NAMESPACE, name: AGENT_LEASE });
    const holder = (lease?.spec as { readonly holderIdentity?: string } | undefined)?.holderIdentity ?? '';
    return this.agentsOf(cluster).find(({ name, running }) => running && holder.startsWith(name));
  }

  /**
   * The server that decides for all: the holder of the servers' Lease; undefined without a holder, or if the holder
   * does not run any more.
   */
  async decider(): Promise<Replica | undefined> {
    const lease = await this.management.connection.objects(LEASE).read({ namespace: NAMESPACE, name: SERVER_LEASE });
    const holder = (lease?.spec as { readonly holderIdentity?: string } | undefined)?.holderIdentity ?? '';
    return this.servers.find(({ name, running }) => running && holder.startsWith(name));
  }

  /** The HTTP API of a running server. @throws Error if none runs */
  api(server: Replica | undefined = this.servers.find(({ running }) => running)): ServerApi {
    const port = server === undefined ? undefined : httpPort(server);
    if (port === undefined) throw new Error('no server runs');
    return new ServerApi(port);
  }

  /** Port at which other servers reach a running server; undefined if it does not listen for them. */
  peersPort(server: Replica): number | undefined {
    return portIn(server, 'peersPort') || undefined;
  }

  /** The only server that accepts new connections of agents; undefined for any. */
  set route(only: Replica | undefined) {
    this.#routing.only = only;
  }

  /** The HTTP APIs of all running servers. */
  apis(): readonly ServerApi[] {
    return this.servers.filter(({ running }) => running).map((server) => this.api(server));
  }

  /** Ends all faults of connections, API servers and processes, and starts ended programs. */
  async heal(signal: AbortSignal): Promise<void> {
    for (const { sim } of [this.management, ...this.workloads]) sim.faults.clear();
    await this.#redis?.heal();
    this.route = undefined;
    for (const replica of this.replicas) {
      replica.heal();
      replica.start();
    }
    await this.started(signal);
  }

  /** Waits until every server listens. */
  async started(signal: AbortSignal): Promise<void> {
    for (const server of this.servers) await serverStarted(server, signal);
  }

  /** Waits until every cluster has the server's desired state, and every agent has a leader. */
  async settled(signal: AbortSignal, timeout: number = TIMEOUT_MS): Promise<Converged> {
    for (const { plan } of this.workloads) {
      const what = `the agent of ${plan.name} to have a leader`;
      await until(what, { signal, timeout }, () => this.leader(plan.name));
    }
    const expectation = { policies: this.plan.policies.length, signal, timeout };
    return await converge(this.apis(), this.workloads, expectation);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup.disposeAsync();
  }
}

interface Parts {
  readonly plan: FleetPlan;
  readonly scale: Scale;
  readonly folder: RunFolder;
  readonly history: History;
  readonly management: RunningCluster;
  readonly workloads: readonly RunningCluster[];
  readonly servers: readonly Replica[];
  readonly agents: readonly Replica[];
  readonly secrets: ReadonlySet<string>;
  readonly redis: SharedRedis | undefined;
  readonly routing: Routing;
  readonly cleanup: AsyncDisposableStack;
}

/** The server that accepts connections; any ready one by default. */
interface Routing {
  only: Replica | undefined;
}

/** Builds the parts of a fleet in their order. */
class FleetBuilder {
  readonly #plan: FleetPlan;
  readonly #scale: Scale;
  readonly #cleanup: AsyncDisposableStack;
  readonly #folder: RunFolder;
  readonly #history = new History();
  readonly #tokens = new Map<string, string>();
  readonly #servers: Replica[] = [];
  readonly #agents: Replica[] = [];
  readonly #routing: Routing = { only: undefined };
  #redis: SharedRedis | undefined;
  /** Next server to receive a connection (round robin). */
  #turn = 0;

  constructor(plan: FleetPlan, scale: Scale, cleanup: AsyncDisposableStack) {
    this.#plan = plan;
    this.#scale = scale;
    this.#cleanup = cleanup;
    this.#folder = cleanup.use(new RunFolder('faults'));
  }

  async build(signal: AbortSignal): Promise<Omit<Parts, 'cleanup'>> {
    const plan = this.#plan;
    if (plan.redis) this.#redis = this.#cleanup.use(await SharedRedis.start());
    const names = Array.from({ length: plan.servers }, (_, index) => `mgmt-server-${index}`);
    const management = await this.#cluster(plan.management, names);
    const workloads = await Promise.all(
      plan.workloads.map((each) => this.#cluster(each, plan.direct ? [directUser(each)] : agentNames(each))),
    );
    for (const name of names) {
      const server = await this.#server(name, management);
      server.start();
      await serverStarted(server, signal);
    }
    const register = plan.direct ? this.#registerDirect : this.#register;
    await Promise.all(workloads.map((workload) => register.call(this, workload, management, signal)));
    for (const policy of plan.policies) {
      await management.connection.objects(meshrelayKind(policy.kind as KindName)).create(policy);
    }
    return {
      plan,
      management,
      workloads,
      scale: this.#scale,
      folder: this.#folder,
      history: this.#history,
      servers: this.#servers,
      agents: this.#agents,
      secrets: new Set([...this.#tokens.values(), ...(this.#redis === undefined ? [] : [this.#redis.password])]),
      redis: this.#redis,
      routing: this.#routing,
    };
  }

  async #cluster(plan: ClusterPlan, users: readonly string[]): Promise<RunningCluster> {
    const tokens = Object.fromEntries(
      users.map((name) => {
        const token = randomBytes(24).toString('base64url');
        this.#tokens.set(name, token);
        return [token, { name }];
      }),
    );
    const recordWrite = (record: WriteRecord): void =>
      this.#history.add({ ...record, actor: replicaOf(record.actor), cluster: plan.name });
    const sim = this.#cleanup.use(await startCluster(plan, { tokens, recordWrite }));
    const cluster = joinCluster(plan, sim, this.#folder);
    this.#cleanup.use(cluster.connection);
    return cluster;
  }

  /** A connection to a cluster's API server, and a kubeconfig for it. */
  async #apiLine({ sim }: RunningCluster, name: string, user: string = name) {
    const port = Number(new URL(sim.url).port);
    const api = await FaultProxy.start(() => ({ port }));
    const text = kubeconfigOf(sim.kubeconfig, this.#tokens.get(user) ?? '', api.port);
    return { api, kubeconfig: this.#folder.write(`${name}.kubeconfig`, text) };
  }

  async #server(name: string, management: RunningCluster): Promise<Replica> {
    const { api, kubeconfig } = await this.#apiLine(management, name);
    const store = await this.#redis?.line();
    const config = store === undefined ? {} : this.#storeConfig(store.port);
    const start = () =>
      startServer({
        name,
        kubeconfig,
        folder: this.#folder,
        ports: { relay: 0, http: 0 },
        config,
        leaderElection: this.#scale.election,
        env: this.#plan.env?.(name) ?? {},
      });
    const server = this.#cleanup.use(
      new Replica({
        name,
        cluster: management.plan.name,
        api,
        ...(store === undefined ? {} : { store }),
        start,
      }),
    );
    this.#servers.push(server);
    return server;
  }

  async #agent(name: string, workload: RunningCluster): Promise<Replica> {
    const agent = this.#cleanup.use(await this.#process(name, workload, name));
    this.#agents.push(agent);
    return agent;
  }

  /** A process of a replica. */
  async #process(name: string, workload: RunningCluster, replica: string): Promise<Replica> {
    const { api, kubeconfig } = await this.#apiLine(workload, name, replica);
    const relay = await FaultProxy.start(() => this.#serverInTurn());
    const start = () =>
      startAgent({
        name,
        replica,
        kubeconfig,
        folder: this.#folder,
        cluster: workload.plan.name,
        relayPort: relay.port,
        leaderElection: this.#scale.election,
        env: this.#plan.env?.(name) ?? {},
      });
    const twin = (): Promise<Replica> => this.#process(`${name}-twin`, workload, replica);
    return new Replica({ name, cluster: workload.plan.name, api, relay, start, twin });
  }

  #storeConfig(port: number): Record<string, unknown> {
    const redis = this.#redis as SharedRedis;
    const passwordFile = this.#folder.write('redis-password', redis.password);
    return { ...redis.config(port, passwordFile) };
  }

  /** As a Service does: any ready replica. */
  #serverInTurn(): Upstream | undefined {
    const { only } = this.#routing;
    const servers = only === undefined ? this.#servers : [only];
    const ports = servers.flatMap((server) => (server.running ? (relayPort(server) ?? []) : []));
    const port = ports[this.#turn++ % Math.max(1, ports.length)];
    return port === undefined ? undefined : { port };
  }

  async #register(workload: RunningCluster, management: RunningCluster, signal: AbortSignal): Promise<void> {
    const agents = await Promise.all(agentNames(workload.plan).map((name) => this.#agent(name, workload)));
    await registerCluster({
      cluster: workload.plan.name,
      management: management.connection,
      workload: workload.connection,
      namespace: NAMESPACE,
      tokenLifetime: 3_600_000,
      timeout: TIMEOUT_MS,
      signal,
      now: () => new Date(),
      step: () => undefined,
      startAgent: async () => {
        for (const agent of agents) agent.start();
        return 'agents started';
      },
    });
  }

  /** Makes the servers connect to the cluster directly. */
  async #registerDirect(workload: RunningCluster, management: RunningCluster, signal: AbortSignal): Promise<void> {
    const { name: cluster } = workload.plan;
    const { api, kubeconfig } = await this.#apiLine(workload, directUser(workload.plan));
    this.#cleanup.use(api);
    await registerDirect({
      cluster,
      management: management.connection,
      namespace: NAMESPACE,
      kubeconfig,
      timeout: TIMEOUT_MS,
      signal,
      now: () => new Date(),
      step: () => undefined,
    });
  }
}

/** The shared user of the kubeconfig with which all servers connect to a cluster. */
function directUser({ name }: ClusterPlan): string {
  return `${DIRECT_USER}${name}`;
}

const DIRECT_USER = 'direct-';

/**
 * Servers that share a credential are distinguished by their own identity field; they are named as the agents whose
 * work they do.
 */
function replicaOf(actor: Actor | undefined): Actor | undefined {
  const replica = actor?.userAgent.split('/')[1];
  if (actor === undefined || replica === undefined || !actor.user.startsWith(DIRECT_USER)) return actor;
  return { ...actor, user: `agent-${replica}` };
}

function agentNames({ name, agents }: ClusterPlan): string[] {
  return Array.from({ length: agents }, (_, index) => `agent-${name}-${index}`);
}

const STARTED = 'management server started';

async function serverStarted(server: Replica, signal: AbortSignal): Promise<void> {
  await until(`${server.name} to start`, { signal, timeout: TIMEOUT_MS }, () => server.program.logged(STARTED));
}

function relayPort(server: Replica): number | undefined {
  return portIn(server, 'relayPort');
}

function httpPort(server: Replica): number | undefined {
  return portIn(server, 'httpPort');
}

function portIn(server: Replica, field: string): number | undefined {
  const line = server.program.lines().find(({ msg }) => msg === STARTED);
  return line === undefined ? undefined : Number(line[field]);
}
