/** The running library: each pod's application with a real Envoy, which the cluster's real agent configures. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { KubeObject } from '@meshrelay/kube-sim';
import { envoyFiles, type RunFolder, type RunningCluster, type WaitOptions } from '@meshrelay/local-fleet';
import { ADDRESS_LABEL, bootstrap } from '@meshrelay/plugin-envoy';
import { type Envoy, startEnvoy } from '@meshrelay/testing/envoy';
import { LIBRARY } from '../fleet/library.ts';
import type { EnvoySetup } from './envoy-setup.ts';

export interface LibraryOptions {
  readonly setup: EnvoySetup;
  readonly cluster: RunningCluster;
  /** Its agent's port for proxies. */
  readonly dataPlanePort: number;
  readonly folder: RunFolder;
  /** Envoys and applications are added to it. */
  readonly cleanup: AsyncDisposableStack;
  readonly timeoutMs: WaitOptions;
}

/** A running pod. */
export interface RunningPod {
  readonly app: string;
  readonly address: string;
  readonly envoy: Envoy;
}

/** The response of a version's application. */
export interface Answered {
  readonly version: string;
  /** The caller's identity, as its Envoy proved it. */
  readonly caller: string;
}

const AGENT = '127.0.0.1';
/** As in the library's Service. */
const PORT = 8080;

/**
 * Starts all pods in parallel, and waits until their Envoys are live: they get all other configuration from the agent.
 */
export async function startLibrary(options: LibraryOptions): Promise<readonly RunningPod[]> {
  const { cluster, cleanup } = options;
  const pods = cluster.sim.objects.list({ apiVersion: 'v1', kind: 'Pod' }, LIBRARY.namespace);
  const started = await Promise.allSettled(pods.map((pod) => startPod(pod, options)));
  // All of them, even if one failed, so that none is left running.
  for (const one of started) if (one.status === 'fulfilled') cleanup.use(one.value.envoy);
  return started.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

async function startPod(pod: KubeObject, options: LibraryOptions): Promise<RunningPod> {
  const { setup, cluster, dataPlanePort, folder, cleanup, timeoutMs } = options;
  const { namespace = '', labels = {} } = pod.metadata;
  const { app = '', version = '', [ADDRESS_LABEL]: address = '' } = labels;
  if (version !== '') {
    const server = await serve(version, address);
    cleanup.defer(() => end(server));
  }
  const { tokenFile, rootsFile } = cleanup.use(await envoyFiles(cluster, pod, folder, timeoutMs));
  const made = bootstrap({
    workload: version === '' ? app : `${app}-${version}`,
    namespace,
    agent: `${AGENT}:${dataPlanePort}`,
    tokenFile,
    rootsFile,
  });
  // Their source address identifies the pod of metrics and logs.
  const clusterManager = { upstreamBindConfig: { sourceAddress: { address, portValue: 0 } } };
  const { path } = setup.program;
  const envoy = await startEnvoy({ path }, { ...made, clusterManager }, { within: setup.within, until: 'live' }).catch(
    (cause: Error) => {
      const instead = 'name another in MESHRELAY_ENVOY, or let npm run fetch:envoy fetch one';
      throw new Error(`the Envoy ${path} does not run for ${app}; ${instead}. ${cause.message}`, { cause });
    },
  );
  return { app, address, envoy };
}

async function serve(version: string, address: string): Promise<Server> {
  const server = createServer(({ headers }, response) => {
    const proved = String(headers['x-forwarded-client-cert'] ?? '');
    const caller = /URI=([^;,]+)/.exec(proved)?.[1] ?? 'unauthenticated';
    response.setHeader('content-type', 'application/json');
    response.end(`${JSON.stringify({ version, caller } satisfies Answered)}\n`);
  });
  server.listen(PORT, address);
  await once(server, 'listening');
  return server;
}

function end(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeAllConnections();
  return closed;
}
