/** The programs of a fleet with their configuration: Meshrelay's own, started as its main modules start them. */
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { agentConfig, startAgent } from '@meshrelay/agent';
import { serverConfig, startManagementServer } from '@meshrelay/mgmt-server';
import { RedisStore, type SnapshotStore, STORE_KEY_BYTES } from '@meshrelay/store';
import { type Logger, silentLogger } from '@meshrelay/telemetry';
import { connectTo } from '../redis/connect-redis.ts';
import type { SimRedis } from '../redis/sim-redis.ts';
import { kubeconfigOf } from './kubeconfigs.ts';
import { PLUGINS } from './minimal-mesh.ts';
import { NAMESPACE } from './objects.ts';

/** Address at which every agent expects the management server: a Service's IP, so no name is resolved. */
const ADDRESS = '198.18.0.1:9900';

/** Starts a replica of the agent of a cluster. */
export function startAgentOf(
  cluster: string,
  replica: string,
  logger: Logger = silentLogger,
): Promise<AsyncDisposable> {
  const config = agentConfig.parse({
    replica,
    relay: { serverAddress: ADDRESS, authority: 'mgmt-server.meshrelay', cluster },
    kubernetes: { kubeconfig: kubeconfigOf(cluster) },
    health: { listen: '127.0.0.1:0' },
    stats: { listen: '127.0.0.1:0' },
    dataPlane: { listen: '127.0.0.1:0' },
    // The simulation requests no logs, and replicas that look up each other would only add traffic.
    peers: { enabled: false },
    leaderElection: {},
  });
  return startAgent(config, { logger, plugins: PLUGINS });
}

/** Starts a replica of the management server. */
export async function startServer(
  replica: string,
  { redis, logger = silentLogger }: { readonly redis?: SimRedis | undefined; readonly logger?: Logger | undefined },
): Promise<AsyncDisposable> {
  const config = serverConfig.parse({
    namespace: NAMESPACE,
    replica,
    relay: { listen: '127.0.0.1:0' },
    kubernetes: { kubeconfig: kubeconfigOf('management') },
    http: { listen: '127.0.0.1:0' },
    health: { listen: '127.0.0.1:0' },
    leaderElection: {},
  });
  await using cleanup = new AsyncDisposableStack();
  const store = redis === undefined ? {} : { store: cleanup.use(await openStore(redis, replica)) };
  cleanup.use(await startManagementServer(config, { plugins: PLUGINS, logger, ...store }));
  return cleanup.move();
}

function openStore(redis: SimRedis, replica: string): Promise<SnapshotStore> {
  const keys = [Buffer.alloc(STORE_KEY_BYTES, 7)];
  return RedisStore.start({
    connect: connectTo(redis),
    prefix: 'simulated',
    keys,
    replica: `${replica}-${randomUUID()}`,
  });
}
