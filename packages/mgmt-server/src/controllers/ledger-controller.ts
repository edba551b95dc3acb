/**
 * Controller of the Lease holder that writes decisions into the ledger. Nothing depends on a decision before it is
 * stored.
 */

import type { KubeObject, LedgerCluster } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import { isKubeError, type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { type Decisions, decide, key, MANAGEMENT_CLUSTER, shardsWith } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { ManagementInputs } from '../input/management.ts';
import type { Fleet } from '../store/fleet.ts';
import { WorkQueue } from './keyed-work.ts';

export interface LedgerControllerOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly fleet: Fleet;
  readonly management: Pick<ManagementInputs, 'unsyncedKinds' | 'take'>;
  readonly now: () => Date;
  /** A cluster that had synced is no longer registered, and was removed from the ledger. */
  readonly deregistered: (cluster: string) => void;
  readonly logger: Logger;
}

export class LedgerController implements AsyncDisposable {
  readonly #options: LedgerControllerOptions;
  readonly #work: WorkQueue;

  constructor(options: LedgerControllerOptions) {
    this.#options = options;
    this.#work = new WorkQueue({
      run: (_, signal) => this.#decide(signal),
      logger: options.logger.child('ledger'),
    });
    this.changed();
  }

  /** Something changed that may need a decision. */
  changed(): void {
    this.#work.add('ledger');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#work[Symbol.asyncDispose]();
  }

  async #decide(signal: AbortSignal): Promise<void> {
    const { fleet, management, namespace, logger } = this.#options;
    // With an incomplete ledger or registry, everything would seem to wait for its first decision.
    if (management.unsyncedKinds.size > 0) return;
    const isKnown = (cluster: string): boolean =>
      cluster === MANAGEMENT_CLUSTER || (fleet.isRegistered(cluster) && fleet.progress.get(cluster)?.complete === true);
    const waiting = decide(fleet.fleetState, fleet.controlPlane.pendingDecisions, sha256, isKnown);
    const clusters = this.#newlySynced();
    const left = await this.#left(signal);
    if (waiting === undefined && clusters.length === 0 && left.length === 0) return;
    const decisions: Decisions = { policies: [], gone: [], vips: [], ...waiting, clusters, left };
    for (const shard of shardsWith(fleet.fleetState, decisions, namespace, sha256))
      if (!(await this.#write(shard, signal))) return this.changed();
    for (const cluster of left) this.#options.deregistered(cluster);
    logger.info('decisions stored', {
      policies: decisions.policies.length,
      gone: decisions.gone.length,
      addresses: decisions.vips.length,
      clusters: clusters.map(({ name }) => name),
      left,
    });
    this.changed();
  }

  /** Clusters that are synced for the first time. */
  #newlySynced(): LedgerCluster[] {
    const { fleet, now } = this.#options;
    return [...fleet.progress].flatMap(([name, { complete }]) =>
      complete && fleet.isRegistered(name) && !fleet.fleetState.ledgerClusters.has(key(name))
        ? [{ name, firstSyncTime: now().toISOString() }]
        : [],
    );
  }

  /**
   * Clusters that synced once and are no longer registered, confirmed by a GET for each. A list that lacks them is not
   * enough to stop waiting for them.
   */
  async #left(signal: AbortSignal): Promise<string[]> {
    const { fleet, connection, namespace } = this.#options;
    const clusters = connection.objects(meshrelayKind('KubernetesCluster'));
    const left: string[] = [];
    for (const [, { name }] of fleet.fleetState.ledgerClusters.entries())
      if (!fleet.isRegistered(name) && (await clusters.read({ namespace, name }, { signal })) === undefined)
        left.push(name);
    return left;
  }

  /**
   * Writes by compare-and-swap. @returns false if another writer was faster: this replica reads that state and decides
   * again
   */
  async #write(shard: KubeObject, signal: AbortSignal): Promise<boolean> {
    const { connection, management } = this.#options;
    const ledgers = connection.objects(meshrelayKind('Ledger'));
    const { name, namespace, resourceVersion } = shard.metadata;
    try {
      await management.take(
        await (resourceVersion === undefined ? ledgers.create(shard, { signal }) : ledgers.replace(shard, { signal })),
      );
      return true;
    } catch (error) {
      if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT', 'RELAY_E_KUBE_EXISTS')) throw error;
      const current = await ledgers.read({ name, namespace }, { signal });
      // Deleted meanwhile: the watch will report it, and no state can be read until then.
      if (current === undefined) throw error;
      await management.take(current);
      return false;
    }
  }
}
