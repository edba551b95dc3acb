/** Composes the agent: the parts of every replica, and leader election for the work of the leader. */
import { hostname } from 'node:os';
import { applyCounters, clusterContext, LeadershipContest } from '@meshrelay/cluster-controllers';
import type { Clock } from '@meshrelay/concurrency';
import { connect, type KubeConnection } from '@meshrelay/kube';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import { createMetrics, type Logger, type Tracer } from '@meshrelay/telemetry';
import type { AgentContext } from './agent-context.ts';
import type { AgentConfig } from './config/config.ts';
import { serveMetrics, serveReadiness } from './controllers/serve-http.ts';
import { startDataPlane } from './controllers/start-data-plane.ts';
import { startPeers } from './controllers/start-peers.ts';
import { startWorkloadCa } from './controllers/start-workload-ca.ts';
import { DataPlane } from './data-plane/data-plane.ts';
import { lead } from './lead.ts';
import { ReplicaObserver } from './observe/replica-observer.ts';
import { AgentStatus } from './status/agent-status.ts';
import { registerGauges } from './status/metrics.ts';
import { observeMetrics } from './status/observe-metrics.ts';
import { PROGRAM } from './status/program.ts';

/** Dependencies that the starting program passes in. */
export interface AgentDependencies {
  readonly plugins: readonly LoadedPlugin[];
  readonly logger: Logger;
  readonly tracer?: Tracer;
  readonly clock?: Clock;
  readonly now?: () => Date;
  readonly random?: () => number;
  /** Identity token of this agent, if it is not in its Secret. */
  readonly token?: string | undefined;
}

/** A running replica. Disposal drains it: streams close, the current write ends, the Lease is released last. */
export interface Agent extends AsyncDisposable {
  readonly replica: string;
  readonly healthPort: number;
  readonly statsPort: number;
  /** Port for proxies on this replica. */
  readonly dataPlanePort: number;
  /** Port on which the leader calls this replica; 0 if disabled. */
  readonly peersPort: number;
  /** Term in which this replica leads; undefined while it follows. */
  readonly term: number | undefined;
}

/**
 * Starts a replica and waits for the cluster resources that it needs.
 * @throws ConfigError, KubeError RELAY_E_KUBE_CONFIG, or the error of a listen address that cannot be bound
 */
export async function startAgent(config: AgentConfig, dependencies: AgentDependencies): Promise<Agent> {
  await using cleanup = new AsyncDisposableStack();
  const { logger, token } = dependencies;
  const replica = config.replica ?? hostname();
  const connection = cleanup.use(connectTo(config, replica));
  const metrics = createMetrics({ runtime: true });
  const counters = applyCounters(metrics);
  const common = clusterContext({ ...dependencies, config, replica, connection, program: PROGRAM, counters });
  const { clock } = common;
  const status = new AgentStatus(common.identity);
  registerGauges(metrics, status);
  const dataPlane = new DataPlane(config.relay.cluster);
  const observer = new ReplicaObserver({
    replica,
    epoch: common.identity,
    sources: dataPlane,
    counters: observeMetrics(metrics, status),
    now: () => clock.now(),
  });
  const agent: AgentContext = { ...common, config, token, metrics, status, dataPlane, replica, observer };
  const health = cleanup.use(await serveReadiness(agent));
  const stats = cleanup.use(await serveMetrics(agent));
  const ca = cleanup.use(startWorkloadCa(agent));
  const { envoys } = cleanup.use(await startDataPlane(agent));
  cleanup.use(await startPeers(agent, envoys));
  cleanup.use(
    new LeadershipContest({
      context: agent,
      lead: (term, log) => lead({ ...agent, logger: log }, term, { ca, envoys }),
      onNewLeader: (holder) => {
        status.leaderIdentity = holder;
      },
    }),
  );
  const { port: healthPort } = health;
  const { port: statsPort } = stats;
  const { dataPlanePort } = status;
  const peersPort = status.peers?.port ?? 0;
  const { cluster, serverAddress } = config.relay;
  const ports = { healthPort, statsPort, dataPlanePort, peersPort };
  logger.info('agent started', { program: PROGRAM, cluster, serverAddress, replica, ...ports });
  const running = cleanup.move();
  return {
    replica,
    healthPort,
    statsPort,
    dataPlanePort,
    peersPort,
    get term() {
      return status.term;
    },
    async [Symbol.asyncDispose]() {
      logger.info('agent drains', { replica });
      await running.disposeAsync();
      logger.info('agent stopped', { replica });
    },
  };
}

function connectTo({ kubernetes: { kubeconfig, context } }: AgentConfig, replica: string): KubeConnection {
  const source = kubeconfig === undefined ? { inCluster: true as const } : { file: kubeconfig };
  return connect(source, { replica, ...(context === undefined ? {} : { context }) });
}
