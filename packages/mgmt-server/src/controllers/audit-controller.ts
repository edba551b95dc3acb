/** Controller of the Lease holder that audits users' changes of clusters and Settings, each change once. */
import type { KubernetesClusterSpec, SettingsSpec } from '@meshrelay/api';
import { type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { type ChangeSet, key, SETTINGS_KEY, SETTINGS_NAME } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { AuditAction, AuditLog } from '../audit/audit.ts';
import { type Requester, requesterOf } from '../audit/requester.ts';
import type { ManagementInputs } from '../input/management.ts';
import type { Fleet } from '../store/fleet.ts';
import { WorkQueue } from './keyed-work.ts';

export interface AuditControllerOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly fleet: Fleet;
  readonly management: Pick<ManagementInputs, 'live' | 'unsyncedKinds'>;
  readonly audit: AuditLog;
  readonly logger: Logger;
}

/** The audited fields of a cluster, or of the fleet. */
interface AuditedFlags {
  readonly suspended: boolean;
  readonly paused: boolean;
}

/** Key of the whole fleet: no cluster has this name. */
const FLEET = '';

export class AuditController implements AsyncDisposable {
  readonly #options: AuditControllerOptions;
  readonly #work: WorkQueue;
  /** Audited last, or reported before the first check. */
  readonly #recorded = new Map<string, AuditedFlags>();
  /** Who changed a cluster last: the only source for who deletes it. */
  readonly #requesters = new Map<string, Requester>();

  constructor(options: AuditControllerOptions) {
    this.#options = options;
    this.#work = new WorkQueue({
      run: (name, signal) => (name === FLEET ? this.#auditFleet(signal) : this.#auditCluster(name, signal)),
      logger: options.logger.child('audit-controller'),
    });
    this.#work.add(FLEET);
    for (const [, { name }] of options.fleet.fleetState.clusters.entries()) this.#add(name);
  }

  changed(changes: ChangeSet): void {
    const { fleetState } = this.#options.fleet;
    if (changes.of(fleetState.settings).length > 0) this.#work.add(FLEET);
    for (const { after, before } of changes.of(fleetState.clusters)) {
      if (after !== undefined) this.#add(after.name);
      // A cluster that ever synced leaves the ledger first, and its deregistration is audited then.
      else if (before !== undefined && !fleetState.ledgerClusters.has(key(before.name))) this.deregistered(before.name);
    }
  }

  /** A cluster's registration has definitely ended. */
  deregistered(cluster: string): void {
    const requester = this.#requesters.get(cluster) ?? requesterOf(undefined);
    this.#requesters.delete(cluster);
    this.#recorded.delete(cluster);
    this.#options.audit.record({ action: 'deregister', outcome: 'done', cluster, ...requester });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#work[Symbol.asyncDispose]();
  }

  /**
   * The earlier report is read at once: checks are queued, and this Lease holder's own status controller writes soon.
   */
  #add(cluster: string): void {
    if (!this.#recorded.has(cluster)) this.#recorded.set(cluster, this.#reportedBefore(cluster));
    this.#work.add(cluster);
  }

  async #auditCluster(cluster: string, signal: AbortSignal): Promise<void> {
    const { connection, namespace, fleet } = this.#options;
    const before = this.#recorded.get(cluster);
    if (before === undefined || !fleet.isRegistered(cluster)) return;
    const live = await connection
      .objects(meshrelayKind('KubernetesCluster'))
      .read({ namespace, name: cluster }, { signal });
    if (live === undefined) return;
    const requester = requesterOf(live);
    this.#requesters.set(cluster, requester);
    // The spec and its requester come from one read.
    this.#announce(cluster, flagsOf(live.spec as KubernetesClusterSpec), before, requester);
  }

  async #auditFleet(signal: AbortSignal): Promise<void> {
    const { connection, namespace, fleet, management } = this.#options;
    if (management.unsyncedKinds.has('Settings')) return;
    const now = fleet.fleetState.settings.get(SETTINGS_KEY)?.spec.paused === true;
    const before = this.#recorded.get(FLEET) ?? { suspended: false, paused: now };
    this.#recorded.set(FLEET, before);
    if (before.paused === now) return;
    const live = await connection
      .objects(meshrelayKind('Settings'))
      .read({ namespace, name: SETTINGS_NAME }, { signal });
    const { paused = false } = (live?.spec ?? {}) as SettingsSpec;
    this.#announce(FLEET, { suspended: false, paused }, before, requesterOf(live));
  }

  /** The state that the previous Lease holder reported for a cluster, from the cluster's status. */
  #reportedBefore(cluster: string): AuditedFlags {
    const { management, namespace } = this.#options;
    const status = management.live('KubernetesCluster', { namespace, name: cluster })?.status;
    const { state, paused = false } = (status ?? {}) as { readonly state?: string; readonly paused?: boolean };
    return { suspended: state === 'SUSPENDED', paused };
  }

  #announce(cluster: string, flags: AuditedFlags, before: AuditedFlags, requester: Requester): void {
    const record = (action: AuditAction): void =>
      void this.#options.audit.record({ action, outcome: 'done', cluster, ...requester });
    this.#recorded.set(cluster, flags);
    if (flags.suspended !== before.suspended) record(flags.suspended ? 'suspend' : 'resume');
    if (flags.paused !== before.paused) record(flags.paused ? 'pause' : 'unpause');
  }
}

function flagsOf({ suspended = false, paused = false }: KubernetesClusterSpec): AuditedFlags {
  return { suspended, paused };
}
