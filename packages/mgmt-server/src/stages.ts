/**
 * The stages of the server and their connections: everything that opens no port. Each stage gets those before it.
 * Events run the other way: `connectStages` names who learns of what.
 */

import { type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import type { LoadedPlugin } from '@meshrelay/relay-core';
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
import { OutputTables } from './output/output-tables.ts';
import { evaluateSafeMode, type SafeMode } from './output/safe-mode.ts';
import { AgentCallers } from './relay/agent-callers.ts';
import { Connections } from './relay/connections.ts';
import { Deregistration } from './relay/deregistration.ts';
import type { OpenSessions } from './relay/open-sessions.ts';
import { ReplicaAnnouncements } from './replicas/replica-announcements.ts';
import { Staleness } from './replicas/staleness.ts';
import { connectStages } from './stage-events.ts';
import { type EncodedOutput, PolicyOutcomes } from './status/policy-outcomes.ts';
import { PolicyRejections } from './status/policy-rejections.ts';
import { recordOf } from './status/record-of.ts';
import { StatusChanges } from './status/status-changes.ts';
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
  readonly sessions: Pick<OpenSessions, 'close'>;
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

/** Starts the stages in the order of the data, and begins to watch the management cluster. */
export async function startStages(options: StageOptions): Promise<Stages> {
  const { connection, namespace, replica, store, now, tracer, audit, sessions, logger } = options;
  const fleet = new Fleet({
    ...options,
    logger: logger.child('fleet'),
    now: () => performance.now(),
    onRefused: options.onRefusedInputs,
  });
  await fleet.restore();
  // Synchronous from here to the end: no event comes before its listeners.
  const management = new ManagementInputs({
    connection,
    fleet,
    namespace,
    tracer,
    logger: logger.child('management'),
  });
  const staleness = new Staleness({ store, now });
  const connections = new Connections(now, () => staleness.since);
  const agents = new AgentCallers();
  const safeMode = (): SafeMode => evaluateSafeMode(fleet.fleetState, fleet.progress, management.unsyncedKinds);

  const guard = new DeletionGuard({
    fleet,
    owner: namespace,
    unheard: () => {
      const { unsyncedClusters, unsyncedSuspendedClusters } = safeMode();
      return [...unsyncedClusters, ...unsyncedSuspendedClusters];
    },
    discoveryFails: () => connections.failedPlugins.length > 0,
    logger: logger.child('guard'),
  });
  const vectors = new InputVectors({ fleet, managementVersions: () => management.versions() });
  const tables = new OutputTables();
  const rejections = new PolicyRejections(fleet.controlPlane, connections);
  const outcomes = new PolicyOutcomes({
    fleet,
    connections,
    outputs: tables,
    rejections,
    vector: () => vectors.current(),
    digests: () => management.digests(),
    safeMode,
  });
  const statuses = new StatusOutputs({ fleet, outcomes, namespace });
  const outputs = new ClusterOutputs({
    fleet,
    guard,
    vectors,
    tables,
    safeMode,
    statuses: (cluster) => statuses.of(cluster),
    replaced: (cluster) => sessions.close(cluster, 'pull'),
    logger: logger.child('outputs'),
  });
  const deregistration = new Deregistration({
    fleet,
    outputs,
    connections,
    closeStreams: (cluster) => sessions.close(cluster),
    confirm: async (name) =>
      (await connection.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name })) === undefined,
    logger,
  });

  const parts = { fleet, management, connections, agents, rejections, outcomes, outputs, guard, safeMode };
  const forControllers = { ...options, ...parts, logger: logger.child('controllers') };
  const controllers = new LeaderControllers(forControllers);
  const approvals = new ApprovalController({
    ...forControllers,
    decides: (cluster) => connections.isHere(cluster),
    cleansUp: false,
  });
  const changes = new ChangeStream({ replica, ...parts });
  const statusChanges = new StatusChanges({ controllers, outputs, statuses, changes });
  const announcements = new ReplicaAnnouncements({
    store,
    connections,
    recordOf: (cluster) => recordOf(cluster, { connections, fleet, guard, replica }),
    inputs: () => ({ vector: vectors.current(), digests: management.digests() }),
    waiting: (cluster) => outcomes.waitingIn(cluster),
    onPeerChange: (cluster, inputs, waiting) =>
      statusChanges.evaluated(outcomes.convergedOnPeer(cluster, inputs, waiting)),
  });
  const follower = new StoreFollower({
    fleet,
    store,
    isHere: (cluster) => connections.isHere(cluster),
    counts: (cluster) => !management.registryWasKnown || fleet.isRegistered(cluster),
    onIgnored: (cluster) => deregistration.uncertainty(cluster),
    onAnnounced: (topics) => announcements.peerAnnouncements(topics),
    onNew: (cluster) => {
      deregistration.onPeerAnnouncement(cluster);
      if (management.registryKnown) deregistration.check();
    },
    // It may have been registered again while this replica was paused: its agent reconnects and sends everything.
    onDeletedOnPeer: (cluster) => deregistration.deletedOnPeer(cluster),
    logger: logger.child('store'),
  });
  const connected = connectStages({
    ...parts,
    staleness,
    statuses,
    deregistration,
    controllers,
    approvals,
    changes,
    statusChanges,
    announcements,
    audit,
    replica,
  });

  return {
    ...parts,
    controllers,
    changes,
    staleSince: () => staleness.since,
    isEndedOnPeer: (cluster) => deregistration.isEndedOnPeer(cluster),
    taken: (cluster, objects) => {
      statusChanges.evaluated(objects === 'all' ? outcomes.settled(cluster) : outcomes.taken(cluster, objects));
      announcements.changed(cluster);
    },
    behind: (cluster, components) => {
      outputs.behind(cluster, components);
      management
        .refresh(components, performance.now())
        .then(() => outputs.move())
        .catch((error: unknown) => logger.error('outputs cannot be advanced', { cluster, error }));
    },
    async [Symbol.asyncDispose]() {
      announcements[Symbol.dispose]();
      staleness[Symbol.dispose]();
      connected[Symbol.dispose]();
      changes[Symbol.dispose]();
      deregistration[Symbol.dispose]();
      await approvals[Symbol.asyncDispose]();
      await follower[Symbol.asyncDispose]();
      await management[Symbol.asyncDispose]();
    },
  };
}
