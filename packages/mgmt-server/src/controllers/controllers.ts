/** The controllers of the Lease holder. None runs while another replica holds the Lease. */
import type { KindName } from '@meshrelay/api';
import { aborted } from '@meshrelay/concurrency';
import type { ObjectKey } from '@meshrelay/kube';
import type { ChangeSet } from '@meshrelay/relay-core';
import type { LiveObject } from '../input/kind-input.ts';
import type { RejectionChanges } from '../status/policy-rejections.ts';
import { ApprovalController, type ApprovalControllerOptions } from './approval-controller.ts';
import { AuditController, type AuditControllerOptions } from './audit-controller.ts';
import { CredentialController, type CredentialControllerOptions } from './credential-controller.ts';
import { DiscoveredController, type DiscoveredControllerOptions } from './discovered-controller.ts';
import { LedgerController, type LedgerControllerOptions } from './ledger-controller.ts';
import { SettingsController, type SettingsControllerOptions } from './settings-controller.ts';
import { StatusController, type StatusControllerOptions } from './status-controller.ts';

export type ControllerOptions = Omit<ApprovalControllerOptions, 'decides' | 'cleansUp'> &
  AuditControllerOptions &
  CredentialControllerOptions &
  Omit<DiscoveredControllerOptions, 'shown'> &
  Omit<LedgerControllerOptions, 'deregistered'> &
  SettingsControllerOptions &
  Omit<StatusControllerOptions, 'previousLeaderUntil'>;

interface Running {
  readonly ledger: LedgerController;
  readonly discovered: DiscoveredController;
  readonly settings: SettingsController;
  readonly status: StatusController;
  readonly approvals: ApprovalController;
  readonly audit: AuditController;
  readonly credentials: CredentialController;
}

export class LeaderControllers {
  readonly #options: ControllerOptions;
  #running: Running | undefined;
  #knowledge = '';

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  /** Whether the controllers run in this replica. */
  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Pending writes by controller. */
  get depths(): { readonly discovered: number; readonly status: number } {
    return { discovered: this.#running?.discovered.depth ?? 0, status: this.#running?.status.depth ?? 0 };
  }

  /**
   * Runs the controllers until the signal aborts. Resolves when all have ended. @param previousLeaderUntil until when
   * another replica was leader, if known
   */
  async run(signal: AbortSignal, previousLeaderUntil?: Date): Promise<void> {
    const shown = await this.#options.fleet.shown();
    const { connections } = this.#options;
    const isNowhere = (cluster: string): boolean => !connections.isHere(cluster) && !connections.isOnPeer(cluster);
    const audit = new AuditController(this.#options);
    const controllers = {
      audit,
      credentials: new CredentialController(this.#options),
      ledger: new LedgerController({ ...this.#options, deregistered: (cluster) => audit.deregistered(cluster) }),
      discovered: new DiscoveredController({ ...this.#options, shown }),
      settings: new SettingsController(this.#options),
      status: new StatusController({ ...this.#options, previousLeaderUntil }),
      approvals: new ApprovalController({ ...this.#options, decides: isNowhere, cleansUp: true }),
    };
    this.#running = controllers;
    await aborted(signal);
    this.#running = undefined;
    await Promise.all(Object.values(controllers).map((controller) => controller[Symbol.asyncDispose]()));
  }

  /** A commit of the graph has finished. */
  changed(changes: ChangeSet): void {
    this.#running?.ledger.changed();
    this.#running?.discovered.changed(changes);
    this.#running?.settings.changed(changes);
    this.#running?.status.changed(changes);
    this.#running?.approvals.changed(changes);
    this.#running?.audit.changed(changes);
    this.moved();
  }

  /**
   * State outside the graph may have changed. Everything is checked again once more is synced, because absences may
   * then mean deletions.
   */
  moved(): void {
    this.#running?.settings.moved();
    const knowledge = this.#known();
    if (knowledge === this.#knowledge) return;
    this.#knowledge = knowledge;
    this.#running?.ledger.changed();
    this.#running?.discovered.recheck();
    this.#running?.status.recheck();
  }

  /** A watch delivered an object of the management cluster. */
  seen(kind: KindName, where: ObjectKey, live: LiveObject): void {
    this.#running?.status.seen(kind, where, live);
  }

  /** A cluster's connection has changed. */
  connected(cluster: string): void {
    this.#running?.status.cluster(cluster);
    this.#running?.approvals.cluster(cluster);
  }

  /** The held deletions of a cluster have changed. */
  held(cluster: string): void {
    this.#running?.status.cluster(cluster);
    this.#running?.approvals.cluster(cluster);
  }

  /** The rejections by agents have changed for these policies. */
  refused({ policies }: RejectionChanges): void {
    this.#running?.status.policies(policies);
  }

  #known(): string {
    const { fleet, management, outputs } = this.#options;
    const complete = [...fleet.progress].flatMap(([name, { complete: all }]) => (all ? name : []));
    return JSON.stringify([outputs.begun, [...management.unsyncedKinds.keys()], complete.sort()]);
  }
}
