/** The Lease holder's third duty: statuses of the management cluster's policies and of the registered clusters. */
import { type Condition, MAX_STATUS_REPORTS, type PolicyStatus } from '@meshrelay/api';
import { type KubeConnection, StatusWriter } from '@meshrelay/kube';
import { type ChangeSet, type JudgedPolicy, key, policyKey, type TimelessCondition } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { resourceOf } from '../input/kinds.ts';
import type { Connections } from '../relay/connections.ts';
import { refusalsByPolicy } from '../status/refusals.ts';
import type { Fleet } from '../store/fleet.ts';

export interface StatusDutyOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly replica: string;
  readonly fleet: Fleet;
  readonly connections: Connections;
  readonly now: () => Date;
  readonly logger: Logger;
}

export class StatusDuty implements AsyncDisposable {
  readonly #options: StatusDutyOptions;
  readonly #writer: StatusWriter;

  constructor(options: StatusDutyOptions) {
    const { connection, logger } = options;
    this.#options = options;
    this.#writer = new StatusWriter({
      connection,
      fieldManager: 'meshrelay-server',
      onRefused: (object, error) => logger.error('status refused', { object, error }),
    });
    for (const [, judged] of options.fleet.controlPlane.statuses.entries()) this.#policy(judged);
    this.clusters();
  }

  changed(changes: ChangeSet): void {
    const { controlPlane, world } = this.#options.fleet;
    for (const { after } of changes.of(controlPlane.statuses)) if (after !== undefined) this.#policy(after);
    if (changes.of(world.clusters).length > 0 || changes.of(world.ledgerClusters).length > 0) this.clusters();
  }

  /** Statuses of all registered clusters; unchanged ones are not written. */
  clusters(): void {
    for (const [, { name }] of this.#options.fleet.world.clusters.entries()) this.cluster(name);
  }

  cluster(name: string): void {
    const { fleet, connections, namespace, replica } = this.#options;
    const facts = fleet.world.clusters.get(key(name));
    if (facts === undefined) return;
    const { push, pull } = connections.of(name);
    const synced = fleet.world.ledgerClusters.get(key(name));
    const state = facts.suspended
      ? 'SUSPENDED'
      : push && pull
        ? 'CONNECTED'
        : synced === undefined
          ? 'PENDING'
          : 'DISCONNECTED';
    this.#writer.set(
      resourceOf('KubernetesCluster'),
      { namespace, name },
      {
        state,
        ...(push && pull ? { connectedReplica: replica } : {}),
        ...(synced === undefined ? {} : { firstSyncedAt: synced.firstSyncedAt }),
      },
    );
    for (const policy of refusalsByPolicy(fleet.controlPlane, connections, name).keys()) {
      const judged = fleet.controlPlane.statuses.get(policy);
      if (judged !== undefined) this.#policy(judged);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#writer[Symbol.asyncDispose]();
  }

  #policy({ ref, status }: JudgedPolicy): void {
    if (ref.cluster !== '') return;
    const { conditions, ...rest } = this.#withRefusals(ref, status);
    const timed: PolicyStatus = { ...rest, conditions: conditions.map((condition) => this.#timed(ref, condition)) };
    this.#writer.set(resourceOf(ref.kind as 'TrafficPolicy'), { namespace: ref.namespace, name: ref.name }, timed);
  }

  /** A policy whose output a cluster refused has failed there, whatever the translation said. */
  #withRefusals(ref: JudgedPolicy['ref'], status: JudgedPolicy['status']): JudgedPolicy['status'] {
    const { fleet, connections } = this.#options;
    const reports = [...fleet.world.clusters.entries()].flatMap(
      ([, { name }]) => refusalsByPolicy(fleet.controlPlane, connections, name).get(policyKey(ref)) ?? [],
    );
    if (reports.length === 0) return status;
    return { ...status, state: 'FAILED', reports: [...status.reports, ...reports].slice(0, MAX_STATUS_REPORTS) };
  }

  /** A condition keeps its time for as long as its status is the same. */
  #timed(ref: JudgedPolicy['ref'], condition: TimelessCondition): Condition {
    const { fleet, now } = this.#options;
    const before = fleet.world.policies
      .get(key(ref.kind, '', ref.namespace, ref.name))
      ?.object.status?.conditions.find(({ type }) => type === condition.type);
    const lastTransitionTime =
      before?.status === condition.status
        ? before.lastTransitionTime
        : now()
            .toISOString()
            .replace(/\.\d+Z$/, 'Z');
    return { ...condition, lastTransitionTime };
  }
}
