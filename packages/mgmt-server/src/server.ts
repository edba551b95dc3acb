/** The management server, composed. */
import { hostname } from 'node:os';
import { LeaderElector, uniqueIdentity } from '@meshrelay/agent-leader';
import { coordinationLeases } from '@meshrelay/agent-leader/coordination';
import { importPlugins } from '@meshrelay/host';
import { connect, type KubeConnection } from '@meshrelay/kube';
import { MemoryStore } from '@meshrelay/store';
import { createMetrics, type Logger, type Metrics, serveHealth } from '@meshrelay/telemetry';
import type { ServerConfig } from './config/config.ts';
import { DiscoveredDuty } from './duties/discovered-duty.ts';
import { LedgerDuty } from './duties/ledger-duty.ts';
import { StatusDuty } from './duties/status-duty.ts';
import { startApi } from './http/api.ts';
import { ManagementInputs } from './input/management.ts';
import { registerMetrics } from './metrics.ts';
import { ClusterOutputs } from './output/cluster-outputs.ts';
import { judgeSafeMode, type SafeMode } from './output/safe-mode.ts';
import { loadAuthorities } from './relay/authorities.ts';
import { Connections } from './relay/connections.ts';
import { Registrar } from './relay/registrar.ts';
import { startRelay } from './relay/relay.ts';
import { Fleet } from './store/fleet.ts';

/** A running server. Disposing of it drains: agents are told to go elsewhere, the Lease is released last. */
export interface ManagementServer extends AsyncDisposable {
  readonly relayPort: number;
  readonly httpPort: number;
  readonly healthPort: number;
}

const LEASE = 'meshrelay-mgmt-server';

export async function startManagementServer(config: ServerConfig, logger: Logger): Promise<ManagementServer> {
  await using cleanup = new AsyncDisposableStack();
  const { namespace, kubernetes } = config;
  const replica = config.replica ?? hostname();
  const now = (): Date => new Date();
  const plugins = await importPlugins(config.plugins);
  const context = kubernetes.context === undefined ? {} : { context: kubernetes.context };
  const connection = cleanup.use(
    connect(kubernetes.kubeconfig === undefined ? { inCluster: true } : { file: kubernetes.kubeconfig }, context),
  );
  const fleet = new Fleet({
    plugins,
    namespace,
    store: cleanup.use(new MemoryStore()),
    logger: logger.child('fleet'),
    now: () => performance.now(),
  });
  const authorities = await loadAuthorities({ connection, namespace, ...config.relay, now });
  const duties = new Duties();
  const connections = new Connections((cluster) => duties.status?.cluster(cluster));

  // Management inputs name themselves in vectors and in safe mode, and outputs look at both.
  const changed = (): void => outputsChanged();
  const management = cleanup.use(
    new ManagementInputs({ connection, fleet, namespace, logger: logger.child('management'), changed }),
  );
  const safeMode = (): SafeMode => judgeSafeMode(fleet.world, fleet.progress, management.unknownKinds);
  const outputs = new ClusterOutputs({ fleet, managementVersions: () => management.versions(), safeMode });
  const outputsChanged = (): void => {
    outputs.begin();
    duties.recheck();
  };
  cleanup.defer(
    fleet.listen((changes) => {
      for (const { before, after } of changes.of(fleet.world.clusters)) {
        if (after === undefined && before !== undefined) void endCluster(fleet, outputs, before.name, logger);
      }
      outputs.update(changes);
      duties.changed(changes);
    }),
  );
  const relay = await startRelay({
    ...config.relay,
    authorities,
    registrar: new Registrar({
      connection,
      namespace,
      ...config.relay,
      authorities,
      isDeclared: (cluster) => fleet.isRegistered(cluster),
      now,
      logger: logger.child('registrar'),
    }),
    fleet,
    outputs,
    connections,
    logger: logger.child('relay'),
    now,
  });
  const metrics = createMetrics();
  registerMetrics(metrics, { fleet, connections, safeMode, duties });
  const api = cleanup.use(await startApi({ listen: config.http.listen, fleet, connections, safeMode }));
  const health = cleanup.use(await serve(config, metrics, management, safeMode));
  const election = startElection(config, connection, replica, logger, duties, {
    fleet,
    management,
    safeMode,
    connections,
    now,
  });
  logger.info('management server started', {
    replica,
    relayPort: relay.port,
    httpPort: api.port,
    healthPort: health.port,
  });
  const rest = cleanup.move();
  return {
    relayPort: relay.port,
    httpPort: api.port,
    healthPort: health.port,
    async [Symbol.asyncDispose]() {
      logger.info('management server drains', { replica });
      await relay.close();
      await election.stop();
      await rest.disposeAsync();
    },
  };
}

/** The duties of the Lease holder; none while another replica has the Lease. */
export class Duties {
  status: StatusDuty | undefined;
  ledger: LedgerDuty | undefined;
  discovered: DiscoveredDuty | undefined;

  changed(changes: Parameters<DiscoveredDuty['changed']>[0]): void {
    this.ledger?.changed();
    this.discovered?.changed(changes);
    this.status?.changed(changes);
  }

  recheck(): void {
    this.ledger?.changed();
    this.discovered?.recheck();
    this.status?.clusters();
  }
}

async function endCluster(fleet: Fleet, outputs: ClusterOutputs, cluster: string, logger: Logger): Promise<void> {
  logger.info('cluster deregistered', { cluster });
  outputs.end(cluster);
  await fleet
    .forget(cluster)
    .catch((error: unknown) =>
      logger.error('the inputs of a deregistered cluster cannot be forgotten', { cluster, error }),
    );
}

function serve(
  config: ServerConfig,
  metrics: Metrics,
  management: ManagementInputs,
  safeMode: () => SafeMode,
): ReturnType<typeof serveHealth> {
  return serveHealth({
    ...config.health.listen,
    metrics,
    checks: {
      management: () =>
        management.unknownKinds.length === 0 || `not known in full yet: ${management.unknownKinds.join(', ')}`,
      safeMode: () =>
        safeMode().missingClusters.length === 0 || `waiting for the inputs of ${safeMode().missingClusters.join(', ')}`,
    },
  });
}

interface DutyInputs {
  readonly fleet: Fleet;
  readonly management: ManagementInputs;
  readonly safeMode: () => SafeMode;
  readonly connections: Connections;
  readonly now: () => Date;
}

function startElection(
  config: ServerConfig,
  connection: KubeConnection,
  replica: string,
  logger: Logger,
  duties: Duties,
  inputs: DutyInputs,
): { stop(): Promise<void> } {
  const { namespace, leaderElection } = config;
  const stop = new AbortController();
  const { leaseDuration, renewDeadline, retryPeriod } = leaderElection;
  const elector = new LeaderElector({
    leases: coordinationLeases(connection.coordinationApi()),
    name: LEASE,
    namespace,
    identity: uniqueIdentity(replica),
    ...(leaseDuration === undefined ? {} : { leaseDuration }),
    ...(renewDeadline === undefined ? {} : { renewDeadline }),
    ...(retryPeriod === undefined ? {} : { retryPeriod }),
    onError: (error, operation) => logger.warn('election failed', { operation, error }),
    onStartedLeading: async (term, signal) => {
      logger.info('this replica leads', { term });
      const common = { ...inputs, connection, namespace, replica, logger: logger.child('duties') };
      duties.ledger = new LedgerDuty(common);
      duties.discovered = new DiscoveredDuty(common);
      duties.status = new StatusDuty(common);
      await new Promise<void>((ended) => signal.addEventListener('abort', () => ended(), { once: true }));
      const ending = [duties.ledger, duties.discovered, duties.status];
      [duties.ledger, duties.discovered, duties.status] = [undefined, undefined, undefined];
      await Promise.all(ending.map((duty) => duty[Symbol.asyncDispose]()));
      logger.info('this replica no longer leads', { term });
    },
  });
  const running = elector.run(stop.signal);
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}
