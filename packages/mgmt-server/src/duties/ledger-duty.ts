/** The Lease holder's first duty: decisions into the ledger. Nothing depends on one before it is stored. */
import type { KubeObject, LedgerCluster } from '@meshrelay/api';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { type Decisions, decide, key, shardsWith } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { resourceOf } from '../input/kinds.ts';
import type { ManagementInputs } from '../input/management.ts';
import type { Fleet } from '../store/fleet.ts';
import { sha256 } from '../store/hash.ts';
import { KeyedWork } from './keyed-work.ts';

export interface LedgerDutyOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly fleet: Fleet;
  readonly management: ManagementInputs;
  readonly now: () => Date;
  readonly logger: Logger;
}

export class LedgerDuty implements AsyncDisposable {
  readonly #options: LedgerDutyOptions;
  readonly #work: KeyedWork;

  constructor(options: LedgerDutyOptions) {
    this.#options = options;
    this.#work = new KeyedWork({ run: () => this.#decide(), logger: options.logger.child('ledger') });
    this.changed();
  }

  /** Something changed: there may be something to decide. */
  changed(): void {
    this.#work.add('ledger');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#work[Symbol.asyncDispose]();
  }

  async #decide(): Promise<void> {
    const { fleet, management, namespace, logger } = this.#options;
    if (management.unknownKinds.length > 0) return;
    const waiting = decide(fleet.world, fleet.controlPlane.undecided, sha256);
    const decisions: Decisions = { policies: [], vips: [], ...waiting, clusters: this.#newlySynced() };
    if (waiting === undefined && decisions.clusters.length === 0) return;
    for (const shard of shardsWith(fleet.world.ledgers, decisions, namespace, sha256)) await this.#write(shard);
    logger.info('decisions stored', {
      policies: decisions.policies.length,
      addresses: decisions.vips.length,
      clusters: decisions.clusters.map(({ name }) => name),
    });
    this.changed();
  }

  /** Clusters known in full for the first time. */
  #newlySynced(): LedgerCluster[] {
    const { fleet, now } = this.#options;
    return [...fleet.progress].flatMap(([name, { complete }]) =>
      complete && fleet.isRegistered(name) && !fleet.world.ledgerClusters.has(key(name))
        ? [{ name, firstSyncedAt: now().toISOString() }]
        : [],
    );
  }

  /** Writes by compare-and-swap. On a conflict another holder was faster: its state comes by the watch, and deciding begins anew. */
  async #write(shard: KubeObject): Promise<void> {
    const { connection, management } = this.#options;
    const ledgers = connection.objects(resourceOf('Ledger'));
    try {
      await management.take(
        await (shard.metadata.resourceVersion === undefined ? ledgers.create(shard) : ledgers.replace(shard)),
      );
    } catch (error) {
      if (isKubeError(error, 'RELAY_E_KUBE_CONFLICT') || isKubeError(error, 'RELAY_E_KUBE_EXISTS')) {
        const current = await ledgers.read({ name: shard.metadata.name, namespace: shard.metadata.namespace ?? '' });
        if (current !== undefined) await management.take(current);
      }
      throw error;
    }
  }
}
