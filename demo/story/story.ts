/** The main job, step by step. */
import { readFileSync } from 'node:fs';
import type { KindName, KubeObject } from '@meshrelay/api';
import { registerCluster } from '@meshrelay/cli';
import { ourKind } from '@meshrelay/kube';
import {
  type Converged,
  converge,
  type Item,
  joinCluster,
  NAMESPACE,
  type Program,
  type RunFolder,
  type RunningCluster,
  ServerApi,
  startCluster,
  until,
} from '@meshrelay/local-fleet';
import { parseAllDocuments } from 'yaml';
import { MANAGEMENT, POLICIES, WORKLOADS } from '../fleet/clusters.ts';
import { type ServerPorts, startAgents, startManagement } from '../fleet/fleet.ts';
import type { Screen } from './screen.ts';

/** Milliseconds until a cluster is registered: four programs start at once, on a machine that may have other work to do. */
const PATIENCE = 300_000;
const MESH_NAMES = { istio: 'Istio', osm: 'Open Service Mesh' };

/** What the story leaves running. */
export interface Told {
  readonly api: ServerApi;
  readonly ports: ServerPorts;
  readonly management: RunningCluster;
  readonly workloads: readonly RunningCluster[];
  readonly programs: readonly Program[];
  readonly meshes: readonly Item[];
  readonly converged: Converged;
  /** From the first policy to the last object in its place. */
  readonly secondsToConverge: number;
}

/** Tells the story. Everything that is started goes onto `cleanup`. */
export async function tell(
  screen: Screen,
  folder: RunFolder,
  cleanup: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Told> {
  screen.title('A fleet of four clusters');
  const [management, ...workloads] = await startClusters(screen, folder, cleanup);
  if (management === undefined) throw new Error('the demo has no management cluster');

  const server = cleanup.use(startManagement(management, folder));
  const started = await until('the server to start', { signal }, () => server.logged('management server started'));
  const ports: ServerPorts = { relay: Number(started['relayPort']), http: Number(started['httpPort']) };
  const api = new ServerApi(ports.http);
  folder.write('server-url', `http://127.0.0.1:${ports.http}\n`);
  screen.step(`management server started, relay on port ${ports.relay}`);

  screen.title('Clusters register');
  const agents = await registerAll(workloads, (workload) =>
    register(workload, management, ports.relay, { screen, folder, cleanup, signal }),
  );
  const programs = [server, ...agents.flat()];

  screen.title('Meshes are discovered');
  const installed = workloads.filter(({ plan }) => plan.mesh !== undefined).length;
  const meshes = await until('the meshes to be discovered', { signal }, async () => {
    const found = await api.list('meshes');
    return found.length === installed ? found : undefined;
  });
  for (const mesh of meshes) screen.step(`mesh ${mesh.id}`);

  screen.title('Policies are applied');
  const policies = readPolicies();
  const begun = performance.now();
  for (const policy of policies) {
    await management.connection.objects(ourKind(policy.kind as KindName)).create(policy);
    screen.step(`${policy.kind} ${policy.metadata.name}`);
  }
  const converged = await converge(api, workloads, { policies: policies.length, signal });
  screen.step('converged: every cluster has exactly what it should');
  const secondsToConverge = (performance.now() - begun) / 1000;
  return { api, ports, management, workloads, programs, meshes, converged, secondsToConverge };
}

async function startClusters(
  screen: Screen,
  folder: RunFolder,
  cleanup: AsyncDisposableStack,
): Promise<RunningCluster[]> {
  const clusters: RunningCluster[] = [];
  for (const plan of [MANAGEMENT, ...WORKLOADS]) {
    const sim = cleanup.use(await startCluster(plan));
    const cluster = joinCluster(plan, sim, folder);
    cleanup.use(cluster.connection);
    clusters.push(cluster);
    screen.step(`${plan.name} in ${plan.region}${plan.mesh === undefined ? '' : `, with ${MESH_NAMES[plan.mesh]}`}`);
  }
  return clusters;
}

interface Surroundings {
  readonly screen: Screen;
  readonly folder: RunFolder;
  readonly cleanup: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

/** Side by side. Waits for all of them even where one fails, so that nothing is started any more while the fleet ends. */
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

/** Registers a cluster by the very code of `meshctl cluster register`. Its steps are shown together, since clusters register side by side. */
async function register(
  workload: RunningCluster,
  management: RunningCluster,
  relayPort: number,
  { screen, folder, cleanup, signal }: Surroundings,
): Promise<Program[]> {
  const agents: Program[] = [];
  const steps: string[] = [];
  await registerCluster({
    cluster: workload.plan.name,
    management: management.connection,
    workload: workload.connection,
    namespace: NAMESPACE,
    tokenLifetime: 3_600_000,
    timeout: PATIENCE,
    signal,
    now: () => new Date(),
    step: (text) => steps.push(text),
    startAgent: async () => {
      agents.push(...startAgents(workload, relayPort, folder).map((agent) => cleanup.use(agent)));
      return `agent started${agents.length > 1 ? `, ${agents.length} replicas` : ''}`;
    },
  });
  screen.step(`${workload.plan.name} registered`);
  for (const step of steps) screen.detail(step);
  return agents;
}

function readPolicies(): KubeObject[] {
  const text = readFileSync(POLICIES, 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
}
