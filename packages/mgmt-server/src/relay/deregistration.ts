/**
 * Handles clusters whose registration has ended: the server closes their streams and deletes their inputs; their
 * objects stay in the cluster. Inputs have an effect only while their cluster is registered
 * (docs/adr/0054-inputs-of-the-registered.md).
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { Backoff, systemClock } from '@meshrelay/concurrency';
import type { Logger } from '@meshrelay/telemetry';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { Fleet } from '../store/fleet.ts';
import { EDIT, type InputCause } from '../store/input-cause.ts';
import type { Connections } from './connections.ts';

export interface DeregistrationOptions {
  readonly fleet: Fleet;
  readonly outputs: Pick<ClusterOutputs, 'end'>;
  readonly connections: Connections;
  /** Closes a cluster's streams. */
  readonly closeStreams: (cluster: string) => void;
  /** Asks the API server whether the registration does not exist. */
  readonly confirm: (cluster: string) => Promise<boolean>;
  readonly logger: Logger;
}

/**
 * Milliseconds that the store may have data of a cluster that is not registered here, before the data is removed there.
 * Its KubernetesCluster may be so new that only another replica has seen it.
 */
const UNCERTAINTY = 60_000;
/** Milliseconds between checks of a registration that only another replica reported as ended. */
const ASK = { first: 500, longest: 10_000 };

export class Deregistration implements Disposable {
  readonly #options: DeregistrationOptions;
  readonly #ending = new Set<string>();
  /** Clusters that this replica has seen registered. */
  readonly #seen = new Set<string>();
  /** Clusters that are in the store and not registered here, each with the timer that removes them. */
  readonly #doubted = new Map<string, NodeJS.Timeout>();
  /**
   * Clusters that this replica considers registered, and another replica reported as deregistered; each with the
   * controller that stops the checks.
   */
  readonly #endedOnPeer = new Map<string, AbortController>();

  constructor(options: DeregistrationOptions) {
    this.#options = options;
  }

  /**
   * Whether another replica reports that the cluster's registration has ended, and the API server has not confirmed or
   * denied it yet.
   */
  isEndedOnPeer(cluster: string): boolean {
    return this.#endedOnPeer.has(cluster);
  }

  /**
   * Ends every known cluster that is not registered. Call it when the registered clusters are synced, and before
   * outputs apply the commit that removed one. With its streams closed, the agent receives no deletion that results
   * only from its own deregistration.
   * @param cause cause of that commit
   */
  check(cause: InputCause = EDIT): void {
    const { fleet, connections } = this.#options;
    const connected = new Set(connections.clusters);
    for (const cluster of new Set([...fleet.progress.keys(), ...connected, ...this.#doubted.keys()])) {
      if (fleet.isRegistered(cluster)) {
        this.#seen.add(cluster);
        this.#believe(cluster);
      } else if (this.#ending.has(cluster)) {
        // Its end is in progress.
      } else if (this.#seen.has(cluster) || connected.has(cluster)) {
        void this.#end(cluster, cause);
      } else if (!this.#doubted.has(cluster)) {
        this.uncertainty(cluster);
        // Restored from the store, before the registered clusters were known.
        this.#leaveOut(cluster);
      }
    }
    for (const cluster of this.#endedOnPeer.keys()) if (!fleet.isRegistered(cluster)) this.onPeerAnnouncement(cluster);
  }

  /**
   * The store has data of a cluster that is not registered here. The data counts once the cluster is registered;
   * otherwise it is removed.
   */
  uncertainty(cluster: string): void {
    if (this.#doubted.has(cluster)) return;
    this.#options.logger.info('stored objects of an unregistered cluster stay unchanged', { cluster });
    const decide = (): void => {
      this.#doubted.delete(cluster);
      if (!this.#options.fleet.isRegistered(cluster)) void this.#end(cluster, EDIT);
    };
    this.#doubted.set(cluster, setTimeout(decide, UNCERTAINTY).unref());
  }

  /**
   * Another replica has deleted a cluster. If this replica considers it registered, one of the two is behind, and the
   * API server is asked which. Until it answers, this replica admits no agent of the cluster.
   */
  deletedOnPeer(cluster: string): void {
    const { fleet, closeStreams } = this.#options;
    closeStreams(cluster);
    if (!fleet.isRegistered(cluster) || this.#endedOnPeer.has(cluster)) return;
    const ended = new AbortController();
    this.#endedOnPeer.set(cluster, ended);
    void this.#ask(cluster, ended.signal);
  }

  /** Another replica announces a cluster: it has admitted the cluster's agent. */
  onPeerAnnouncement(cluster: string): void {
    this.#endedOnPeer.get(cluster)?.abort();
    this.#endedOnPeer.delete(cluster);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#doubted.values()) clearTimeout(timer);
    this.#doubted.clear();
    for (const cluster of this.#endedOnPeer.keys()) this.onPeerAnnouncement(cluster);
  }

  /** The cluster is registered: its data in the store counts from now on. */
  #believe(cluster: string): void {
    if (!this.#confirm(cluster)) return;
    const { fleet, connections, logger } = this.#options;
    if (connections.isHere(cluster)) return;
    fleet.compare(cluster).catch((error: unknown) => {
      logger.error('the stored objects of a cluster cannot be ingested', { cluster, error });
    });
  }

  /** @returns whether the cluster was uncertain */
  #confirm(cluster: string): boolean {
    clearTimeout(this.#doubted.get(cluster));
    return this.#doubted.delete(cluster);
  }

  #leaveOut(cluster: string): void {
    const { fleet, logger } = this.#options;
    fleet.leaveOut(cluster).catch((error: unknown) => {
      logger.error('an unregistered cluster cannot be removed from the inputs', { cluster, error });
    });
  }

  /** Asks until the API server has the registration, or its end has reached this replica, too. */
  async #ask(cluster: string, signal: AbortSignal): Promise<void> {
    const { confirm, logger } = this.#options;
    const pauses = new Backoff({ ...ASK, random: Math.random });
    logger.info('another replica reports that a registration has ended', { cluster });
    while (!signal.aborted) {
      try {
        if (!(await confirm(cluster))) this.onPeerAnnouncement(cluster);
      } catch (error) {
        logger.warn('whether a registration has ended is unknown, so its agent is not admitted', { cluster, error });
      }
      await systemClock.sleep(pauses.next(), signal);
    }
  }

  async #end(cluster: string, cause: InputCause): Promise<void> {
    const { fleet, outputs, connections, closeStreams, confirm, logger } = this.#options;
    this.#ending.add(cluster);
    this.#seen.delete(cluster);
    let forgotten = false;
    try {
      closeStreams(cluster);
      // A list without the cluster is not enough to delete its data.
      if (cause.type !== 'observed' && (!(await confirm(cluster)) || fleet.isRegistered(cluster))) return;
      logger.info('cluster deregistered', { cluster });
      outputs.end(cluster);
      connections.forget(cluster);
      await fleet.forget(cluster, cause);
      forgotten = true;
      this.#confirm(cluster);
    } catch (error) {
      logger.error('a deregistered cluster cannot be deleted from the store', { cluster, error });
    } finally {
      this.#ending.delete(cluster);
      // Checked again later; none of its data is removed before.
      if (!forgotten && !fleet.isRegistered(cluster)) this.uncertainty(cluster);
    }
  }
}
