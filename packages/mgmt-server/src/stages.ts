/** The stages of the server and their connections: everything that opens no port. */
import { clearTimeout, setTimeout } from 'node:timers';
import { type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import { type Key, key } from '@meshrelay/relay-core';
import { RelayError, type RelayServer, type StreamName } from '@meshrelay/relay-protocol';
import type { SnapshotStore } from '@meshrelay/store';
import type { Logger, Tracer } from '@meshrelay/telemetry';
import type { AuditLog } from './audit/audit.ts';
import { ApprovalController } from './controllers/approval-controller.ts';
import { LeaderControllers } from './controllers/controllers.ts';
import { ChangeStream } from './http/change-stream.ts';
import { ManagementInputs } from './input/management.ts';
import { ClusterOutputs } from './output/cluster-outputs.ts';
import { DeletionGuard } from './output/deletion-guard.ts';
import { InputVectors } from './output/input-vectors.ts';
import { evaluateSafeMode, type SafeMode } from './output/safe-mode.ts';
import { AgentCallers } from './relay/agent-callers.ts';
import { Connections } from './relay/connections.ts';
import { Deregistration } from './relay/deregistration.ts';
import { ReplicaAnnouncements } from './replicas/replica-announcements.ts';
import { Staleness } from './replicas/staleness.ts';
import { type EncodedOutput, PolicyOutcomes } from './status/policy-outcomes.ts';
import { PolicyRejections, type RejectionChanges } from './status/policy-rejections.ts';
import { recordOf } from './status/record-of.ts';
import { StatusOutputs } from './status/status-outputs.ts';
import { Fleet } from './store/fleet.ts';
import { StoreFollower } from './store/store-follower.ts';

export interface StageOptions {
  readonly plugins: readonly LoadedPlugin[];
  readonly connection: KubeConnection;
  readonly store: SnapshotStore;
  readonly namespace: string;
  readonly replica: string;
  readonly now: () => Date;
  readonly tracer: Tracer;
  readonly onRefusedInputs: (count: number) => void;
  readonly audit: AuditLog;
  /** Open streams. */
  readonly sessions: () => ReturnType<RelayServer['sessions']>;
  readonly logger: Logger;
}

/** The stages, which run until disposed. */
export interface Stages extends AsyncDisposable {
  readonly fleet: Fleet;
  readonly management: ManagementInputs;
  readonly connections: Connections;
  readonly agents: AgentCallers;
  readonly rejections: PolicyRejections;
  readonly outcomes: PolicyOutcomes;
  readonly outputs: ClusterOutputs;
  readonly guard: DeletionGuard;
  readonly controllers: LeaderControllers;
  readonly changes: ChangeStream;
  readonly safeMode: () => SafeMode;
  /** Since when the shared store is unreachable; undefined while it is reachable, or nothing is shared. */
  readonly staleSince: () => Date | undefined;
  /** Whether another replica reports that a cluster's registration has ended, and this one cannot confirm it yet. */
  readonly isEndedOnPeer: (cluster: string) => boolean;
  /** An agent has accepted these objects, or all. */
  readonly taken: (cluster: string, objects: readonly EncodedOutput[] | 'all') => void;
  /** An agent has seen newer inputs than this replica, in these components of the vector. */
  readonly behind: (cluster: string, components: readonly string[]) => void;
}

/** Milliseconds that agents have to connect after a start before their clusters count as disconnected. */
const TIMEOUT_MS = 60_000;

/** Connects the stages and starts to watch the management cluster. */
export async function startStages(options: StageOptions): Promise<Stages> {
  const { connection, namespace, sessions, logger } = options;
  const fleet = new Fleet({
    ...options,
    logger: logger.child('fleet'),
    now: () => performance.now(),
    onRefused: options.onRefusedInputs,
  });
  await fleet.restore();
  // Synchronous from here to the end: each part finds the others when it is first called.
  const connections = new Connections(options.now, () => staleness.since);
  const agents = new AgentCallers();
  const rejections = new PolicyRejections(fleet.controlPlane, connections);
  const management: ManagementInputs = new ManagementInputs({
    connection,
    fleet,
    namespace,
    tracer: options.tracer,
    logger: logger.child('management'),
    seen: (kind, where, live) => controllers.seen(kind, where, live),
    changed: () => moved(),
  });
  const safeMode = (): SafeMode => evaluateSafeMode(fleet.fleetState, fleet.progress, management.unsyncedKinds);
  const closeStreams = (cluster: string, stream?: StreamName): void => endSessions(sessions(), cluster, stream);
  const guard = new DeletionGuard({
    fleet,
    owner: namespace,
    unheard: () => {
      const { unsyncedClusters, unsyncedSuspendedClusters } = safeMode();
      return [...unsyncedClusters, ...unsyncedSuspendedClusters];
    },
    logger: logger.child('guard'),
  });
  const vectors = new InputVectors({ fleet, managementVersions: () => management.versions() });
  const outputs = new ClusterOutputs({
    fleet,
    guard,
    vectors,
    safeMode,
    statuses: (cluster) => statuses.of(cluster),
    replaced: (cluster) => closeStreams(cluster, 'pull'),
    began: () => {
      const suspended = [...fleet.fleetState.clusters.entries()].flatMap(([, facts]) =>
        facts.suspended ? facts.name : [],
      );
      const reason =
        suspended.length === 0 ? 'all inputs are synced' : `without suspended clusters: ${suspended.sort().join(', ')}`;
      options.audit.record({
        action: 'safe-mode-end',
        outcome: 'done',
        cluster: '',
        by: `replica ${options.replica}`,
        reason,
      });
      for (const [, { name }] of fleet.fleetState.clusters.entries()) evaluated(outcomes.connected(name));
    },
    logger: logger.child('outputs'),
  });
  const outcomes = new PolicyOutcomes({
    fleet,
    connections,
    outputs,
    rejections,
    vector: () => vectors.current(),
    digests: () => management.digests(),
    safeMode,
  });
  const statuses = new StatusOutputs({ fleet, outcomes, namespace });
  const parts = { fleet, management, connections, agents, rejections, outcomes, outputs, guard, safeMode };
  const deregistration = new Deregistration({
    ...parts,
    closeStreams,
    confirm: async (name) =>
      (await connection.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name })) === undefined,
    logger,
  });
  const follower = new StoreFollower({
    fleet,
    store: options.store,
    isHere: (cluster) => connections.isHere(cluster),
    counts: (cluster) => !management.registryWasKnown || fleet.isRegistered(cluster),
    onLeftAlone: (cluster) => deregistration.uncertainty(cluster),
    onAnnounced: (topics) => words.peerAnnouncements(topics),
    onNew: (cluster) => {
      deregistration.onPeerAnnouncement(cluster);
      if (management.registryKnown) deregistration.check();
    },
    // It may have been registered again while this replica was paused: its agent reconnects and sends everything.
    onForgotten: (cluster) => deregistration.deletedOnPeer(cluster),
    logger: logger.child('store'),
  });
  const controllers = new LeaderControllers({
    ...options,
    ...parts,
    logger: logger.child('controllers'),
  });
  const approvals = new ApprovalController({
    ...options,
    ...parts,
    decides: (cluster) => connections.isHere(cluster),
    cleansUp: false,
    logger: logger.child('controllers'),
  });
  const changes = new ChangeStream({ replica: options.replica, ...parts });

  function moved(): void {
    if (management.registryKnown) deregistration.check();
    outputs.move();
    controllers.moved();
  }
  const reported = (found: RejectionChanges): void => {
    controllers.refused(found);
    outputs.statusesChanged(
      found.policies.flatMap((policy) => statuses.current(policy) ?? []),
      [],
    );
    changes.touch('policies', found.policies);
    changes.touch('outputs', found.outputs);
  };
  const evaluated = (policies: readonly Key[]): void => reported({ policies, outputs: [] });
  const words = new ReplicaAnnouncements({
    store: options.store,
    connections,
    recordOf: (cluster) => recordOf(cluster, { connections, fleet, guard, replica: options.replica }),
    inputs: () => ({ vector: vectors.current(), digests: management.digests() }),
    waiting: (cluster) => outcomes.waitingIn(cluster),
    onPeerChange: (cluster, inputs, waiting) =>
      evaluated(outcomes.convergedOnPeer(cluster, inputs, waiting as readonly Key[])),
  });
  const staleness = new Staleness({
    store: options.store,
    now: options.now,
    onChange: () => {
      for (const [, { name }] of fleet.fleetState.clusters.entries()) {
        if (connections.isHere(name)) continue;
        controllers.connected(name);
        evaluated(outcomes.connected(name));
      }
    },
  });
  const timeoutMs = setTimeout(() => evaluated(outcomes.waitNoLonger()), TIMEOUT_MS).unref();
  const unlisten = fleet.listen((committed, cause) => {
    if (committed.of(fleet.fleetState.clusters).length > 0 && management.registryWasKnown) deregistration.check(cause);
    outputs.update(committed, cause);
    controllers.changed(committed);
    approvals.changed(committed);
    reported(rejections.follow(committed));
    evaluated(outcomes.follow(committed));
    for (const cluster of connections.clusters) if (connections.isHere(cluster)) words.changed(cluster);
    words.moved();
    const others = committed.of(fleet.controlPlane.statuses);
    outputs.statusesChanged(
      others.flatMap(({ key: policy }) => statuses.current(policy) ?? []),
      others.flatMap(({ before, after }) =>
        before !== undefined && after === undefined ? statuses.gone(before.ref) : [],
      ),
    );
  });
  guard.listen((cluster) => {
    controllers.held(cluster);
    approvals.cluster(cluster);
    if (connections.here(cluster) !== undefined) words.changed(cluster);
    changes.touch('clusters', [key(cluster)]);
  });
  connections.listen((cluster) => {
    controllers.connected(cluster);
    approvals.cluster(cluster);
    if (connections.here(cluster) !== undefined) words.changed(cluster);
    reported(rejections.update(cluster));
    evaluated(outcomes.connected(cluster));
    changes.touch('clusters', [key(cluster)]);
  });
  return {
    ...parts,
    controllers,
    changes,
    staleSince: () => staleness.since,
    isEndedOnPeer: (cluster) => deregistration.isEndedOnPeer(cluster),
    taken: (cluster, objects) => {
      evaluated(objects === 'all' ? outcomes.settled(cluster) : outcomes.taken(cluster, objects));
      words.changed(cluster);
    },
    behind: (cluster, components) => {
      outputs.behind(cluster, components);
      management
        .refresh(components, performance.now())
        .then(() => outputs.move())
        .catch((error: unknown) => logger.error('outputs cannot be advanced', { cluster, error }));
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timeoutMs);
      words[Symbol.dispose]();
      staleness[Symbol.dispose]();
      unlisten();
      changes[Symbol.dispose]();
      deregistration[Symbol.dispose]();
      await approvals[Symbol.asyncDispose]();
      await follower[Symbol.asyncDispose]();
      await management[Symbol.asyncDispose]();
    },
  };
}

/** Closes a cluster's streams. The agent reconnects, and then gets its present outputs. */
function endSessions(sessions: ReturnType<RelayServer['sessions']>, cluster: string, stream?: StreamName): void {
  for (const session of sessions) {
    if (session.cluster !== cluster || (stream !== undefined && session.stream !== stream)) continue;
    session.close(
      new RelayError('RELAY_E_UNAVAILABLE', `the registration of cluster ${cluster} has changed; connect again`),
    );
  }
}
