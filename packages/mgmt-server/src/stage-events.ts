/** The events of the stages, and for each of them the stages that follow it, in order. */
import { clearTimeout, setTimeout } from 'node:timers';
import { type ChangeSet, key } from '@meshrelay/relay-core';
import type { AuditLog } from './audit/audit.ts';
import type { ApprovalController } from './controllers/approval-controller.ts';
import type { LeaderControllers } from './controllers/controllers.ts';
import type { ChangeStream } from './http/change-stream.ts';
import type { ManagementInputs } from './input/management.ts';
import type { ClusterOutputs } from './output/cluster-outputs.ts';
import type { DeletionGuard } from './output/deletion-guard.ts';
import type { Connections } from './relay/connections.ts';
import type { Deregistration } from './relay/deregistration.ts';
import type { ReplicaAnnouncements } from './replicas/replica-announcements.ts';
import type { Staleness } from './replicas/staleness.ts';
import type { PolicyOutcomes } from './status/policy-outcomes.ts';
import type { PolicyRejections } from './status/policy-rejections.ts';
import type { StatusChanges } from './status/status-changes.ts';
import type { StatusOutputs } from './status/status-outputs.ts';
import type { Fleet } from './store/fleet.ts';
import type { InputCause } from './store/input-cause.ts';

export interface StageParts {
  readonly fleet: Fleet;
  readonly management: ManagementInputs;
  readonly connections: Connections;
  readonly staleness: Staleness;
  readonly guard: DeletionGuard;
  readonly rejections: PolicyRejections;
  readonly outcomes: PolicyOutcomes;
  readonly statuses: StatusOutputs;
  readonly outputs: ClusterOutputs;
  readonly deregistration: Deregistration;
  readonly controllers: LeaderControllers;
  readonly approvals: ApprovalController;
  readonly changes: ChangeStream;
  readonly statusChanges: StatusChanges;
  readonly announcements: ReplicaAnnouncements;
  readonly audit: AuditLog;
  readonly replica: string;
}

/** Milliseconds that agents have to connect after a start before their clusters count as disconnected. */
const TIMEOUT_MS = 60_000;

/** Subscribes the stages to each other. Disposal ends what commits and the timer cause. */
export function connectStages(parts: StageParts): Disposable {
  const { fleet, management, connections, staleness, guard, outcomes, outputs, controllers, statusChanges } = parts;
  management.listen({
    seen: (kind, where, live) => controllers.seen(kind, where, live),
    changed: () => onManagementChange(parts),
  });
  outputs.listen(() => onBegun(parts));
  staleness.listen(() => onStaleness(parts));
  const timeout = setTimeout(() => statusChanges.evaluated(outcomes.waitNoLonger()), TIMEOUT_MS).unref();
  const unlisten = fleet.listen((committed, cause) => onCommit(parts, committed, cause));
  guard.listen((cluster) => onHeldDeletions(parts, cluster));
  connections.listen((cluster) => onConnection(parts, cluster));
  return {
    [Symbol.dispose]() {
      clearTimeout(timeout);
      unlisten();
    },
  };
}

/** Watches of the management cluster changed the graph, or a kind is no longer synced. */
function onManagementChange({ management, deregistration, outputs, controllers }: StageParts): void {
  if (management.registryKnown) deregistration.check();
  outputs.move();
  controllers.moved();
}

/** A commit of the graph has finished. */
function onCommit(parts: StageParts, committed: ChangeSet, cause: InputCause): void {
  const { fleet, management, connections, rejections, outcomes, statuses, outputs } = parts;
  const { deregistration, controllers, approvals, statusChanges, announcements } = parts;
  // Before outputs: with its streams closed, an agent receives no deletion that results only from its deregistration.
  if (committed.of(fleet.fleetState.clusters).length > 0 && management.registryWasKnown) deregistration.check(cause);
  outputs.update(committed, cause);
  controllers.changed(committed);
  approvals.changed(committed);
  statusChanges.rejected(rejections.follow(committed));
  statusChanges.evaluated(outcomes.follow(committed));
  for (const cluster of connections.clusters) if (connections.isHere(cluster)) announcements.changed(cluster);
  announcements.moved();
  const changed = committed.of(fleet.controlPlane.statuses);
  outputs.statusesChanged(
    changed.flatMap(({ key: policy }) => statuses.current(policy) ?? []),
    changed.flatMap(({ before, after }) =>
      before !== undefined && after === undefined ? statuses.gone(before.ref) : [],
    ),
  );
}

/** Safe mode has ended for the first time since the start. */
function onBegun({ fleet, outcomes, statusChanges, audit, replica }: StageParts): void {
  const clusters = [...fleet.fleetState.clusters.entries()].map(([, facts]) => facts);
  const suspended = clusters.flatMap((facts) => (facts.suspended ? facts.name : []));
  const reason =
    suspended.length === 0 ? 'all inputs are synced' : `without suspended clusters: ${suspended.sort().join(', ')}`;
  audit.record({ action: 'safe-mode-end', outcome: 'done', cluster: '', by: `replica ${replica}`, reason });
  for (const { name } of clusters) statusChanges.evaluated(outcomes.connected(name));
}

/** The shared store became unreachable, or reachable again. */
function onStaleness({ fleet, connections, outcomes, controllers, statusChanges }: StageParts): void {
  for (const [, { name }] of fleet.fleetState.clusters.entries()) {
    if (connections.isHere(name)) continue;
    controllers.connected(name);
    statusChanges.evaluated(outcomes.connected(name));
  }
}

/** The deletions that the guard holds in a cluster have changed. */
function onHeldDeletions(parts: StageParts, cluster: string): void {
  const { connections, controllers, approvals, announcements, changes } = parts;
  controllers.held(cluster);
  approvals.cluster(cluster);
  if (connections.here(cluster) !== undefined) announcements.changed(cluster);
  changes.touch('clusters', [key(cluster)]);
}

/** The connection of a cluster's agent has changed, here or at another replica. */
function onConnection(parts: StageParts, cluster: string): void {
  const { connections, rejections, outcomes, controllers, approvals, announcements, changes, statusChanges } = parts;
  controllers.connected(cluster);
  approvals.cluster(cluster);
  if (connections.here(cluster) !== undefined) announcements.changed(cluster);
  statusChanges.rejected(rejections.update(cluster));
  statusChanges.evaluated(outcomes.connected(cluster));
  changes.touch('clusters', [key(cluster)]);
}
