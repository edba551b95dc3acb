/** The main workflow, step by step. */
import { readFileSync } from 'node:fs';
import type { KindName, KubeObject } from '@meshrelay/api';
import { registerCluster } from '@meshrelay/cli';
import { meshrelayKind } from '@meshrelay/kube';
import {
  type Converged,
  converge,
  type Item,
  joinCluster,
  NAMESPACE,
  type PolicyItem,
  type Program,
  type RunningCluster,
  ServerApi,
  startCluster,
  until,
} from '@meshrelay/local-fleet';
import { parseAllDocuments } from 'yaml';
import { MANAGEMENT, POLICIES, WORKLOADS } from '../fleet/clusters.ts';
import {
  type ProgramOptions,
  type ServerPorts,
  startAgentAgain,
  startAgents,
  startManagement,
} from '../fleet/fleet.ts';
import { LIBRARY, LIBRARY_POLICIES, withLibrary } from '../fleet/library.ts';
import { RestartingProgram } from '../fleet/restarting-program.ts';
import type { EnvoySetup } from '../traffic/envoy-setup.ts';
import { startLibrary } from '../traffic/library.ts';
import { REQUESTS, type Sent, sendTraffic } from '../traffic/traffic.ts';
import type { Screen } from './screen.ts';

/** Milliseconds until a cluster is registered: four programs start at once, on a machine that may be busy. */
const TIMEOUT_MS = 300_000;
const MESH_NAMES = { istio: 'Istio', osm: 'Open Service Mesh' };

/** Programs that stay running after the story. */
export interface Reported {
  readonly api: ServerApi;
  readonly ports: ServerPorts;
  readonly management: RunningCluster;
  readonly workloads: readonly RunningCluster[];
  /** The server and the agents: restarted when they end. */
  readonly programs: readonly RestartingProgram[];
  readonly meshes: readonly Item[];
  readonly converged: Converged;
  /** From the first policy to the last applied object. */
  readonly secondsToConverge: number;
  /** The results of requests; undefined if none were sent. */
  readonly sent: Sent | undefined;
}

/**
 * Runs all steps. Everything it starts is added to `cleanup`.
 * @param setup requirements of real traffic; without them none is sent
 */
export async function announce(surroundings: Surroundings, setup?: EnvoySetup): Promise<Reported> {
  const { screen, folder, cleanup, signal } = surroundings;
  screen.title('A fleet of four clusters');
  const [management, ...workloads] = await startClusters(surroundings, setup);
  if (management === undefined) throw new Error('the demo has no management cluster');

  const server = cleanup.use(startManagement(management, surroundings));
  const started = await until('the server to start', { signal }, () => server.logged('management server started'));
  const ports: ServerPorts = { relay: Number(started['relayPort']), http: Number(started['httpPort']) };
  const api = new ServerApi(ports.http);
  folder.write('server-url', `http://127.0.0.1:${ports.http}\n`);
  screen.step(`management server started, relay on port ${ports.relay}`);

  screen.title('Clusters register');
  const agents = await registerAll(workloads, (workload) => register(workload, management, ports.relay, surroundings));

  screen.title('Meshes are discovered');
  // Its Envoys are a mesh in addition to the other mesh of the library's cluster.
  const installed = workloads.filter(({ plan }) => plan.mesh !== undefined).length + 1;
  const meshes = await until('the meshes to be discovered', { signal }, async () => {
    const found = await api.list('meshes');
    return found.length === installed ? found : undefined;
  });
  for (const mesh of meshes) screen.step(`mesh ${mesh.id}`);

  screen.title('Policies are applied');
  const policies = readPolicies();
  const begun = performance.now();
  for (const policy of policies) {
    await management.connection.objects(meshrelayKind(policy.kind as KindName)).create(policy);
    screen.step(`${policy.kind} ${policy.metadata.name}`);
  }
  const converged = await converge(api, workloads, { policies: policies.length, signal });
  screen.step('converged: every cluster has exactly what it should');
  const secondsToConverge = (performance.now() - begun) / 1000;
  const evaluated = await until("the library's trust", { signal, timeout: TIMEOUT_MS }, async () => {
    const all = await api.list<PolicyItem>('policies');
    return all.some(isTrusted) ? all : undefined;
  });
  screen.step('the agent of cluster-3 certifies the Envoys of the library, under the root of their VirtualMesh');
  const at = workloads.findIndex(({ plan }) => plan.name === LIBRARY.cluster);
  const [cluster, agent] = [workloads[at], agents[at]?.[0]];
  const sent =
    setup === undefined || cluster === undefined || agent === undefined
      ? undefined
      : await traffic(setup, cluster, agent, surroundings);
  const keep = (program: Program, again: (ended: Program) => Program): RestartingProgram =>
    cleanup.use(new RestartingProgram(program, again, (text) => screen.step(text)));
  const programs = [
    keep(server, () => startManagement(management, surroundings, ports)),
    ...workloads.flatMap((workload, index) =>
      (agents[index] ?? []).map((each) =>
        keep(each, (ended) => startAgentAgain(workload, ended, ports.relay, surroundings)),
      ),
    ),
  ];
  const around = { api, ports, management, workloads, programs, meshes };
  return { ...around, converged: { ...converged, policies: evaluated }, secondsToConverge, sent };
}

/** Whether it is the library's VirtualMesh, and all its members have certificates of its root. */
function isTrusted({ kind, name, conditions }: PolicyItem): boolean {
  const isTrue = conditions.some(({ type, status }) => type === 'TrustEstablished' && status === 'True');
  return kind === 'VirtualMesh' && name === LIBRARY.virtualMesh && isTrue;
}

/** Real requests by real Envoys. */
async function traffic(
  setup: EnvoySetup,
  cluster: RunningCluster,
  agent: Program,
  { screen, folder, cleanup, signal }: Surroundings,
): Promise<Sent> {
  screen.title('Requests pass real Envoys');
  const timeoutMs = { signal, timeout: TIMEOUT_MS };
  const started = await until(`the agent of ${cluster.plan.name}`, timeoutMs, () => agent.logged('agent started'));
  const dataPlanePort = Number(started['dataPlanePort']);
  const pods = await startLibrary({ setup, cluster, dataPlanePort, folder, cleanup, timeoutMs });
  screen.step(`${pods.length} Envoys run, and ask the agent of ${cluster.plan.name} what to do`);
  const sent = await sendTraffic(pods, timeoutMs);
  const { desk, caller, visitor } = sent.traffic;
  screen.step(`desk asks loans ${REQUESTS.desk} times: ${listed(desk)}`);
  screen.detail(`policy loans-canary says 80 to 20; by mutual TLS desk is known as ${caller}`);
  screen.step(`visitor asks loans ${REQUESTS.visitor} times: ${listed(visitor)}`);
  screen.detail('policy desk-lends allows only desk');
  return sent;
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ');
}

async function startClusters({ screen, folder, cleanup }: Surroundings, setup?: EnvoySetup): Promise<RunningCluster[]> {
  const clusters: RunningCluster[] = [];
  for (const plan of [MANAGEMENT, ...withLibrary(WORKLOADS, folder, setup?.network)]) {
    const sim = cleanup.use(await startCluster(plan));
    const cluster = joinCluster(plan, sim, folder);
    cleanup.use(cluster.connection);
    clusters.push(cluster);
    const meshes = [
      ...(plan.mesh === undefined ? [] : [MESH_NAMES[plan.mesh]]),
      ...(plan.name === LIBRARY.cluster ? ['plain Envoys'] : []),
    ];
    screen.step(`${plan.name} in ${plan.region}${meshes.length === 0 ? '' : `, with ${meshes.join(' and ')}`}`);
  }
  return clusters;
}

/** Where the story runs: its screen and its folder. */
export interface Surroundings extends ProgramOptions {
  readonly screen: Screen;
  /** Everything that is started is added to it. */
  readonly cleanup: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

/** In parallel. Waits for all of them even if one fails, so that nothing starts any more while the fleet ends. */
async function registerAll(
  workloads: readonly RunningCluster[],
  registerOne: (workload: RunningCluster) => Promise<Program[]>,
): Promise<Program[][]> {
  const results = await Promise.allSettled(workloads.map(registerOne));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/**
 * Registers a cluster with the code of `meshctl cluster register`. Its steps are printed together, because clusters
 * register in parallel.
 */
async function register(
  workload: RunningCluster,
  management: RunningCluster,
  relayPort: number,
  surroundings: Surroundings,
): Promise<Program[]> {
  const { screen, cleanup, signal } = surroundings;
  const agents: Program[] = [];
  const steps: string[] = [];
  await registerCluster({
    cluster: workload.plan.name,
    management: management.connection,
    workload: workload.connection,
    namespace: NAMESPACE,
    tokenLifetime: 3_600_000,
    timeout: TIMEOUT_MS,
    signal,
    now: () => new Date(),
    step: (text) => steps.push(text),
    startAgent: async () => {
      agents.push(...startAgents(workload, relayPort, surroundings).map((agent) => cleanup.use(agent)));
      return `agent started${agents.length > 1 ? `, ${agents.length} replicas` : ''}`;
    },
  });
  screen.step(`${workload.plan.name} registered`);
  for (const step of steps) screen.detail(step);
  return agents;
}

function readPolicies(): KubeObject[] {
  const texts = [POLICIES, LIBRARY_POLICIES].map((file) => readFileSync(file, 'utf8'));
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject));
}
