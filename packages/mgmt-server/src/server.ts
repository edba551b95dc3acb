/** Composes the management server. */
import { hostname } from 'node:os';
import { uniqueIdentity } from '@meshrelay/agent-leader';
import { coordinationLeases } from '@meshrelay/agent-leader/coordination';
import { applyCounters } from '@meshrelay/cluster-controllers';
import { ConfigError } from '@meshrelay/host';
import { connect, isKubeError, type KubeConnection, Reviews, Secrets } from '@meshrelay/kube';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import { LoopbackRelay } from '@meshrelay/relay-protocol';
import type { SnapshotStore } from '@meshrelay/store';
import { type Logger, silentTracer, type Tracer } from '@meshrelay/telemetry';
import { AuditLog } from './audit/audit.ts';
import { auditEvents } from './audit/audit-events.ts';
import { MeshIssuer } from './certificates/mesh-issuer.ts';
import { MeshRootExpiry } from './certificates/mesh-root-expiry.ts';
import { MeshRoots } from './certificates/mesh-roots.ts';
import type { ServerConfig } from './config/config.ts';
import { startElection } from './controllers/election.ts';
import { startDirect } from './direct/start-direct.ts';
import { drain } from './drain.ts';
import { serveServerHealth } from './health.ts';
import { type ApiServer, startApi } from './http/api.ts';
import { loadRelay, startIdentity } from './identity/identity.ts';
import { createServerMetrics, registerGauges } from './metrics.ts';
import { PROGRAM } from './program.ts';
import { OpenSessions } from './relay/open-sessions.ts';
import { isRegistered, serverMachines, startRelay } from './relay/relay.ts';
import { ReplicaLease } from './replicas/replica-lease.ts';
import { quarantined, replicaProblems } from './replicas/replica-problems.ts';
import { replicaPrograms } from './replicas/replica-programs.ts';
import { hasPeers, type ServerPeers, startServerPeers } from './replicas/server-peers.ts';
import { snapshotRoutes } from './snapshots.ts';
import { startStages } from './stages.ts';
import { openStore } from './store/open-store.ts';

/**
 * A running server. Disposal drains it: agents are asked to reconnect to another replica, and the Lease is released
 * last.
 */
export interface ManagementServer extends AsyncDisposable {
  readonly relayPort: number;
  readonly httpPort: number;
  readonly healthPort: number;
  /** Port for calls by other replicas; 0 without other replicas. */
  readonly peersPort: number;
  /**
   * Aborted, with the reason, once the server can ingest nothing more. Dispose the server then, and end its process
   * with a failure.
   */
  readonly broken: AbortSignal;
}

/** Dependencies that the program passes to the server. */
export interface ServerDependencies {
  readonly plugins: readonly LoadedPlugin[];
  readonly logger: Logger;
  /** Wall clock, used to verify tokens and certificates. */
  readonly now?: () => Date;
  readonly tracer?: Tracer;
  /** The snapshot store; in memory by default. The caller disposes it. */
  readonly store?: SnapshotStore;
}

/**
 * Starts a server.
 * @throws ConfigError, or what prevented the start: the API server, an address in use, an invalid Secret
 */
export async function startManagementServer(
  config: ServerConfig,
  { plugins, logger, now = () => new Date(), tracer = silentTracer, store: givenStore }: ServerDependencies,
): Promise<ManagementServer> {
  await using cleanup = new AsyncDisposableStack();
  const { namespace } = config;
  const replica = config.replica ?? hostname();
  const connection = cleanup.use(connectTo(config.kubernetes, replica));
  const {
    metrics,
    registrations,
    renewals,
    refusedInputs,
    forwarded,
    certificateExpiry,
    corruptValues,
    refusedConnections,
    refusedCalls,
  } = createServerMetrics();
  for (const problem of quarantined(plugins)) logger.error(problem);
  const audit = new AuditLog(logger, {
    file: config.audit.file,
    onLine: auditEvents({ connection, namespace, logger }),
    now,
  });
  const common = { connection, namespace, replica, now, audit, tracer, logger };
  // At the first start it generates keys, which takes as long as everything until they are needed.
  const authorities = loadRelay({ ...common, relay: config.relay });
  // If the start fails before, that is the error to report.
  authorities.catch(() => {});
  const relaySessions = new OpenSessions();
  const sessions = new OpenSessions();
  sessions.add(relaySessions);
  const store =
    givenStore ??
    cleanup.use(
      await openStore({
        ...common,
        config: config.store,
        corrupt: corruptValues,
        expiry: certificateExpiry,
        logger: logger.child('store'),
      }),
    ).store;
  const stages = cleanup.use(
    await startStages({
      ...common,
      plugins,
      store,
      onRefusedInputs: (count) => refusedInputs.add(count),
      sessions,
    }),
  );
  const { broken } = stages.fleet;
  broken.addEventListener('abort', () =>
    logger.error('no more writes can be committed: the server ends and must be restarted', { error: broken.reason }),
  );
  let accepting = false;
  let peers: ServerPeers | undefined;
  let api: ApiServer | undefined;
  registerGauges(metrics, {
    ...stages,
    plugins,
    store,
    sessions: () => sessions.sessions(),
    peers: () => peers?.server,
    api: () => api,
  });
  const readiness = { management: stages.management, broken, accepting: () => accepting };
  const health = cleanup.use(
    await serveServerHealth({
      ...readiness,
      listen: config.health.listen,
      metrics,
      routes: snapshotRoutes({ fleet: stages.fleet, store }),
      logger: logger.child('health'),
    }),
  );
  if (hasPeers(config))
    peers = cleanup.use(
      await startServerPeers({
        ...common,
        config,
        knowledge: stages,
        counted: (result) => forwarded.inc({ result }),
        logger: logger.child('peers'),
      }),
    );
  api = cleanup.use(
    await startApi({
      ...stages,
      replica,
      programs: () => replicaPrograms(replica, { peerAnnouncements: () => store.peerAnnouncements() }),
      onPeer: peers?.onPeer,
      http: config.http,
      reviews: new Reviews(connection),
      now,
      onCertificate: (end) => certificateExpiry.set(end.getTime() / 1000, { certificate: 'http' }),
      logger: logger.child('http'),
    }),
  );
  const identity = cleanup.use(
    await startIdentity({
      ...common,
      relay: config.relay,
      authorities,
      isRegistered: (cluster) => isRegistered(stages, cluster),
      sessions: () => relaySessions.sessions(),
      expiry: certificateExpiry,
      onRegistration: (result) => registrations.inc({ result }),
      onRenewal: (result) => renewals.inc({ result }),
    }),
  );
  const roots = new MeshRoots({ secrets: new Secrets(connection, namespace), namespace, now });
  cleanup.use(new MeshRootExpiry({ ...common, fleet: stages.fleet, roots, expiry: certificateExpiry }));
  const issuer = new MeshIssuer({ ...stages, roots, audit, now });
  const relayLogs = logger.child('relay');
  const machines = serverMachines({ ...stages, ownCluster: config.singleCluster, tracer, logger: relayLogs });
  const loopback = new LoopbackRelay(machines);
  sessions.add(loopback);
  cleanup.use(
    startDirect({
      ...common,
      stages,
      plugins,
      leaderElection: config.leaderElection,
      ownCluster: config.singleCluster,
      loopback,
      issuer,
      counters: applyCounters(metrics),
      setProblem: (cluster, problem) => stages.connections.setProblem(cluster, problem),
      logger: logger.child('direct'),
    }),
  );
  const { agents } = stages;
  const relay = cleanup.use(
    await startRelay({
      ...config.relay,
      identity,
      machines,
      issuer,
      agents,
      onConnectionRefused: (reason) => refusedConnections.inc({ reason }),
      onCallRefused: (method, code) => refusedCalls.inc({ method, code }),
      logger: relayLogs,
    }),
  );
  relaySessions.add(relay);
  accepting = true;
  cleanup.use(
    new ReplicaLease({
      ...common,
      leases: coordinationLeases(connection.coordinationApi()),
      identity: uniqueIdentity(replica),
      problems: () => replicaProblems({ readiness, staleSince: stages.staleSince(), plugins }),
      leads: () => stages.controllers.running,
      logger: logger.child('replica-lease'),
    }),
  );
  const election = startElection({ ...common, config, controllers: stages.controllers });
  const peersPort = peers?.server.port ?? 0;
  const ports = { relayPort: relay.port, httpPort: api.port, healthPort: health.port, peersPort };
  logger.info('management server started', { program: PROGRAM, replica, ...ports });
  const rest = cleanup.move();
  return {
    ...ports,
    broken,
    [Symbol.asyncDispose]: () => {
      accepting = false;
      stages.outcomes.end();
      return drain({ relay, election, rest, logger });
    },
  };
}

/** @throws ConfigError if the kubeconfig cannot be used */
function connectTo({ kubeconfig, context }: ServerConfig['kubernetes'], replica: string): KubeConnection {
  try {
    return connect(kubeconfig === undefined ? { inCluster: true } : { file: kubeconfig }, {
      replica,
      ...(context === undefined ? {} : { context }),
    });
  } catch (cause) {
    if (!isKubeError(cause, 'RELAY_E_KUBE_CONFIG')) throw cause;
    throw new ConfigError(`kubernetes.kubeconfig: ${cause.message}`, { cause });
  }
}
