/** The Lease holder's first duty: decisions into the ledger. Nothing depends on one before it is stored. */

import type { KubeObject, LedgerCluster } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import { isKubeError, type KubeConnection, ourKind } from '@meshrelay/kube';
import { type Decisions, decide, key, MANAGEMENT_CLUSTER, shardsWith } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { ManagementInputs } from '../input/management.ts';
import type { Fleet } from '../store/fleet.ts';
import { KeyedWork } from './keyed-work.ts';

export interface LedgerDutyOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly fleet: Fleet;
  readonly management: Pick<ManagementInputs, 'unknownKinds' | 'take'>;
  readonly now: () => Date;
  readonly logger: Logger;
}

export class LedgerDuty implements AsyncDisposable {
  readonly #options: LedgerDutyOptions;
  readonly #work: KeyedWork;

  constructor(options: LedgerDutyOptions) {
    this.#options = options;
    this.#work = new KeyedWork({
      run: (_, signal) => this.#decide(signal),
      logger: options.logger.child('ledger'),
    });
    this.changed();
  }

  /** Something changed: there may be something to decide. */
  changed(): void {
    this.#work.add('ledger');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#work[Symbol.asyncDispose]();
  }

  async #decide(signal: AbortSignal): Promise<void> {
    const { fleet, management, namespace, logger } = this.#options;
    // Of an incomplete ledger or registry, everything would seem to wait for its first decision.
    if (management.unknownKinds.size > 0) return;
    const isKnown = (cluster: string): boolean =>
      cluster === MANAGEMENT_CLUSTER || (fleet.isRegistered(cluster) && fleet.progress.get(cluster)?.complete === true);
    const waiting = decide(fleet.world, fleet.controlPlane.undecided, sha256, isKnown);
    const decisions: Decisions = { policies: [], gone: [], vips: [], ...waiting, clusters: this.#newlySynced() };
    if (waiting === undefined && decisions.clusters.length === 0) return;
    for (const shard of shardsWith(fleet.world.ledgers, decisions, namespace, sha256))
      if (!(await this.#write(shard, signal))) return this.changed();
    logger.info('decisions stored', {
      policies: decisions.policies.length,
      gone: decisions.gone.length,
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

  /** Writes by compare-and-swap. @returns false where somebody else was faster: their state is taken up, and deciding begins anew */
  async #write(shard: KubeObject, signal: AbortSignal): Promise<boolean> {
    const { connection, management } = this.#options;
    const ledgers = connection.objects(ourKind('Ledger'));
    const { name, namespace, resourceVersion } = shard.metadata;
    try {
      await management.take(
        await (resourceVersion === undefined ? ledgers.create(shard, { signal }) : ledgers.replace(shard, { signal })),
      );
      return true;
    } catch (error) {
      if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT', 'RELAY_E_KUBE_EXISTS')) throw error;
      const current = await ledgers.read({ name, namespace }, { signal });
      // Deleted meanwhile: the watch will tell, and until then there is nothing to take up.
      if (current === undefined) throw error;
      await management.take(current);
      return false;
    }
  }
}
