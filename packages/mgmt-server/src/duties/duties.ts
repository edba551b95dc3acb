/** The duties of the Lease holder; none while another replica has the Lease. */
import type { KindName } from '@meshrelay/api';
import type { ObjectKey } from '@meshrelay/kube';
import type { ChangeSet } from '@meshrelay/relay-core';
import type { LiveObject } from '../input/kind-input.ts';
import type { RefusalChanges } from '../status/policy-rejections.ts';
import { ApprovalDuty, type ApprovalDutyOptions } from './approval-duty.ts';
import { AuditDuty, type AuditDutyOptions } from './audit-duty.ts';
import { CredentialDuty, type CredentialDutyOptions } from './credential-duty.ts';
import { DiscoveredDuty, type DiscoveredDutyOptions } from './discovered-duty.ts';
import { LedgerDuty, type LedgerDutyOptions } from './ledger-duty.ts';
import { SettingsDuty, type SettingsDutyOptions } from './settings-duty.ts';
import { StatusDuty, type StatusDutyOptions } from './status-duty.ts';

export type DutyOptions = Omit<ApprovalDutyOptions, 'decides' | 'cleansUp'> &
  AuditDutyOptions &
  CredentialDutyOptions &
  Omit<DiscoveredDutyOptions, 'shown'> &
  Omit<LedgerDutyOptions, 'deregistered'> &
  SettingsDutyOptions &
  Omit<StatusDutyOptions, 'ledUntil'>;

interface Running {
  readonly ledger: LedgerDuty;
  readonly discovered: DiscoveredDuty;
  readonly settings: SettingsDuty;
  readonly status: StatusDuty;
  readonly approvals: ApprovalDuty;
  readonly audit: AuditDuty;
  readonly credentials: CredentialDuty;
}

export class Duties {
  readonly #options: DutyOptions;
  #running: Running | undefined;
  #knowledge = '';

  constructor(options: DutyOptions) {
    this.#options = options;
  }

  /** Whether this replica has them. */
  get running(): boolean {
    return this.#running !== undefined;
  }

  /** What waits to be written, by duty. */
  get depths(): { readonly discovered: number; readonly status: number } {
    return { discovered: this.#running?.discovered.depth ?? 0, status: this.#running?.status.depth ?? 0 };
  }

  /** Takes them on until the signal aborts. Resolves when all have ended. @param ledUntil until when another replica had them, where that is known */
  async run(signal: AbortSignal, ledUntil?: Date): Promise<void> {
    const shown = await this.#options.fleet.shown();
    const { connections } = this.#options;
    const isNowhere = (cluster: string): boolean => !connections.isHere(cluster) && !connections.isElsewhere(cluster);
    const audit = new AuditDuty(this.#options);
    const duties = {
      audit,
      credentials: new CredentialDuty(this.#options),
      ledger: new LedgerDuty({ ...this.#options, deregistered: (cluster) => audit.deregistered(cluster) }),
      discovered: new DiscoveredDuty({ ...this.#options, shown }),
      settings: new SettingsDuty(this.#options),
      status: new StatusDuty({ ...this.#options, ledUntil }),
      approvals: new ApprovalDuty({ ...this.#options, decides: isNowhere, cleansUp: true }),
    };
    this.#running = duties;
    if (!signal.aborted) {
      await new Promise<void>((ended) => signal.addEventListener('abort', () => ended(), { once: true }));
    }
    this.#running = undefined;
    await Promise.all(Object.values(duties).map((duty) => duty[Symbol.asyncDispose]()));
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

  /** Something beside the graph may be known now. Everything is looked at again when so much is that absences may mean more. */
  moved(): void {
    this.#running?.settings.moved();
    const knowledge = this.#known();
    if (knowledge === this.#knowledge) return;
    this.#knowledge = knowledge;
    this.#running?.ledger.changed();
    this.#running?.discovered.recheck();
    this.#running?.status.recheck();
  }

  /** An object of the management cluster was seen as it is at the API server. */
  seen(kind: KindName, where: ObjectKey, live: LiveObject): void {
    this.#running?.status.seen(kind, where, live);
  }

  /** A cluster's connection has changed. */
  connected(cluster: string): void {
    this.#running?.status.cluster(cluster);
    this.#running?.approvals.cluster(cluster);
  }

  /** What is held in a cluster has changed. */
  held(cluster: string): void {
    this.#running?.status.cluster(cluster);
    this.#running?.approvals.cluster(cluster);
  }

  /** What agents refused has changed for these policies. */
  refused({ policies }: RefusalChanges): void {
    this.#running?.status.policies(policies);
  }

  #known(): string {
    const { fleet, management, outputs } = this.#options;
    const complete = [...fleet.progress].flatMap(([name, { complete: all }]) => (all ? name : []));
    return JSON.stringify([outputs.begun, [...management.unknownKinds.keys()], complete.sort()]);
  }
}
