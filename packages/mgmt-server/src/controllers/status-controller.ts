/**
 * Controller of the Lease holder that writes the statuses of the management cluster's policies and of the registered
 * clusters.
 */
import type { KindName, KubernetesClusterStatus, PolicyStatus, Report } from '@meshrelay/api';
import {
  type KubeConnection,
  meshrelayKind,
  type ObjectKey,
  type SeenStatus,
  type StatusWriter,
} from '@meshrelay/kube';
import {
  type ChangeSet,
  type ComputedStatus,
  type EvaluatedPolicy,
  type Key,
  key,
  MANAGEMENT_CLUSTER,
  policyKey,
  SETTINGS_KEY,
  truncated,
} from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { ManagementInputs } from '../input/management.ts';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { DeletionGuard } from '../output/deletion-guard.ts';
import type { SafeMode } from '../output/safe-mode.ts';
import type { Connections } from '../relay/connections.ts';
import { clusterState } from '../status/cluster-state.ts';
import { clusterConditions } from '../status/cluster-status.ts';
import { heldOf } from '../status/held-deletions.ts';
import { notSentTo, safeModeText } from '../status/not-sent.ts';
import type { PolicyOutcomes } from '../status/policy-outcomes.ts';
import { countingRecord } from '../status/record-of.ts';
import type { Fleet } from '../store/fleet.ts';
import { LastAgentStatuses } from './last-agent-statuses.ts';
import { managementStatusWriter } from './management-status-writer.ts';
import { TransitionTimes } from './transition-times.ts';

const SAFE_MODE = 'SAFE_MODE';

export interface StatusControllerOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly replica: string;
  readonly fleet: Fleet;
  readonly management: Pick<ManagementInputs, 'live' | 'unsyncedKinds'>;
  readonly outputs: Pick<ClusterOutputs, 'begun'>;
  readonly safeMode: () => SafeMode;
  readonly guard: Pick<DeletionGuard, 'heldIn' | 'presentIn'>;
  readonly connections: Connections;
  readonly outcomes: PolicyOutcomes;
  readonly now: () => Date;
  /** Until when another replica wrote statuses; undefined if none did, or it is not known. */
  readonly previousLeaderUntil: Date | undefined;
  readonly logger: Logger;
}

export class StatusController implements AsyncDisposable {
  readonly #options: StatusControllerOptions;
  readonly #writer: StatusWriter;
  readonly #times: TransitionTimes;
  readonly #agents: LastAgentStatuses;
  /** Whether all inputs of policy evaluation were synced once. */
  #settled = false;

  constructor(options: StatusControllerOptions) {
    const { connection, logger } = options;
    this.#options = options;
    this.#times = new TransitionTimes(options.now);
    this.#agents = new LastAgentStatuses(options.now, options.previousLeaderUntil);
    this.#writer = managementStatusWriter(connection, logger);
    this.recheck();
  }

  /** Statuses waiting to be written. */
  get depth(): number {
    return this.#writer.depth;
  }

  changed(changes: ChangeSet): void {
    const { controlPlane, fleetState } = this.#options.fleet;
    for (const { key: policy, before, after } of changes.of(controlPlane.statuses)) {
      if (after !== undefined) this.#policy(after);
      else if (before !== undefined) this.#forget(policy, before.ref);
    }
    for (const { before, after } of changes.of(fleetState.clusters)) {
      if (after !== undefined) this.cluster(after.name);
      else if (before !== undefined) this.#forgetCluster(before.name);
    }
    for (const { after } of changes.of(fleetState.ledgerClusters)) if (after !== undefined) this.cluster(after.name);
    if (changes.of(fleetState.settings).length > 0)
      for (const [, { name }] of fleetState.clusters.entries()) this.cluster(name);
    // The status of a drained cluster counts the objects that the cluster still has.
    if (changes.of(fleetState.present).length > 0)
      for (const [, { name, draining }] of fleetState.clusters.entries()) if (draining === true) this.cluster(name);
  }

  /**
   * More may be known than before, such as that safe mode has ended: checks everything. Equal statuses are not written.
   */
  recheck(): void {
    const { fleet, outputs } = this.#options;
    this.#settled = outputs.begun;
    for (const [, evaluated] of fleet.controlPlane.statuses.entries()) this.#policy(evaluated);
    for (const [, { name }] of fleet.fleetState.clusters.entries()) this.cluster(name);
  }

  /** Overwrites a status that another client changed after this controller wrote it. */
  seen(kind: KindName, { namespace, name }: ObjectKey, live: SeenStatus): void {
    this.#writer.seen(meshrelayKind(kind), { ...(namespace === undefined ? {} : { namespace }), name }, live);
  }

  /** The statuses of these policies may have changed, because agents answered. */
  policies(policies: readonly Key[]): void {
    for (const policy of policies) {
      const evaluated = this.#options.fleet.controlPlane.statuses.get(policy);
      if (evaluated !== undefined) this.#policy(evaluated);
    }
  }

  cluster(name: string): void {
    const { fleet, management, connections } = this.#options;
    const facts = fleet.fleetState.clusters.get(key(name));
    // Before the ledger is synced, every cluster would seem never to have synced.
    if (facts === undefined || management.unsyncedKinds.has('Ledger')) return;
    const connection = connections.of(name);
    const record = countingRecord(name, this.#options);
    const held = heldOf(name, record, this.#options.guard);
    const unheard = connections.unheard(name);
    const synced = fleet.fleetState.ledgerClusters.get(key(name));
    const where = this.#clusterKey(name);
    const live = management.live('KubernetesCluster', where);
    const before = live?.status as KubernetesClusterStatus | undefined;
    // The last report of a replica that no longer responds may be outdated.
    const agent = this.#agents.announce(name, unheard === undefined ? record : undefined, before);
    const status: KubernetesClusterStatus = {
      ...(live?.generation === undefined ? {} : { observedGeneration: live.generation }),
      state: clusterState(facts, connection, {
        synced: synced !== undefined,
        empty: this.#isEmpty(name),
        unheard: unheard !== undefined,
      }),
      ...(synced === undefined ? {} : { firstSyncTime: synced.firstSyncTime }),
      ...agent,
      ...(facts.paused === true || fleet.fleetState.settings.get(SETTINGS_KEY)?.spec.paused === true
        ? { paused: true }
        : {}),
      ...(held === undefined ? {} : { heldDeletions: held }),
      conditions: this.#times.timed(
        key('KubernetesCluster', name),
        clusterConditions(record, {
          unheard,
          agent,
          notSent: notSentTo(name, this.#options),
          problem: connection.problem,
        }),
        before?.conditions,
      ),
    };
    this.#write('KubernetesCluster', where, status);
  }

  /** Whether the cluster reports that it has no generated objects. */
  #isEmpty(cluster: string): boolean {
    const { fleet, guard } = this.#options;
    return fleet.progress.get(cluster)?.complete === true && guard.presentIn(cluster) === 0;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#writer[Symbol.asyncDispose]();
  }

  #policy(evaluated: EvaluatedPolicy): void {
    const { ref } = evaluated;
    if (ref.cluster !== MANAGEMENT_CLUSTER) return;
    const { management, outcomes } = this.#options;
    const live = management.live(ref.kind, ref)?.status as PolicyStatus | undefined;
    const computed = this.#settled ? outcomes.statusOf(evaluated, live) : this.#whileUnsure(evaluated);
    if (computed === undefined) return;
    const conditions = this.#times.timed(policyKey(ref), computed.conditions, live?.conditions);
    this.#write(ref.kind as KindName, { namespace: ref.namespace, name: ref.name }, { ...computed, conditions });
  }

  /** Before safe mode has ended, too little is known: the last status stays, and a newer spec waits. */
  #whileUnsure({ ref, status }: EvaluatedPolicy): ComputedStatus | undefined {
    const { management, safeMode } = this.#options;
    const live = management.live(ref.kind, ref);
    if (live === undefined) return undefined;
    const before = live.status as PolicyStatus | undefined;
    const current = before !== undefined && before.observedGeneration >= (live.generation ?? 0);
    // The list of missing inputs changes as they sync, so only an earlier evaluation stays.
    if (current && !before.reports.some(({ code }) => code === SAFE_MODE)) return undefined;
    const report: Report = { code: SAFE_MODE, severity: 'warning', message: safeModeText(safeMode()) };
    return truncated({ ...status, state: 'PENDING', conditions: [], targets: [], targetCount: 0, reports: [report] });
  }

  /** Written only if it differs from the API server's status, in which nothing is undefined. */
  #write(kind: KindName, where: ObjectKey, status: unknown): void {
    const live = this.#options.management.live(kind, where);
    const plain: unknown = JSON.parse(JSON.stringify(status));
    this.#writer.set(meshrelayKind(kind), where, plain, live?.status === undefined ? undefined : live);
  }

  #forget(policy: Key, { kind, namespace, name }: EvaluatedPolicy['ref']): void {
    this.#times.forget(policy);
    this.#writer.forget(meshrelayKind(kind as KindName), { namespace, name });
  }

  #forgetCluster(name: string): void {
    this.#agents.forget(name);
    this.#times.forget(key('KubernetesCluster', name));
    this.#writer.forget(meshrelayKind('KubernetesCluster'), this.#clusterKey(name));
  }

  #clusterKey(name: string): ObjectKey {
    return { namespace: this.#options.namespace, name };
  }
}
