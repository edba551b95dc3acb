/**
 * What happens to clusters whose registration has ended: they are heard no more, and forgotten; what they have stays. What follows from their inputs
 * follows only while they are registered (docs/adr/0054-inputs-of-the-registered.md).
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { Backoff, systemClock } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { Fleet } from '../store/fleet.ts';
import { EDIT, type InputCause } from '../store/input-cause.ts';
import type { Connections } from './connections.ts';

export interface DeregistrationOptions {
  readonly fleet: Fleet;
  readonly outputs: Pick<ClusterOutputs, 'end'>;
  readonly connections: Connections;
  /** Ends a cluster's streams. */
  readonly closeStreams: (cluster: string) => void;
  /** Whether the API server itself says that there is no such registration. */
  readonly confirm: (cluster: string) => Promise<boolean>;
  readonly logger: Logger;
}

/**
 * How long the store may have something of a cluster that is not registered here before it is removed there, in milliseconds: its KubernetesCluster
 * may be so new that only another replica has heard of it.
 */
const UNCERTAINTY = 60_000;
/** Milliseconds between questions whether a registration has ended of which only another replica has said so. */
const ASK = { first: 500, longest: 10_000 };

export class Deregistration implements Disposable {
  readonly #options: DeregistrationOptions;
  readonly #ending = new Set<string>();
  /** Clusters that were registered as far as this replica knew. */
  readonly #seen = new Set<string>();
  /** Clusters that the store tells of and that are not registered here, each with what ends the doubt. */
  readonly #doubted = new Map<string, NodeJS.Timeout>();
  /** Clusters that are registered as far as this replica knows, and whose registration has ended as another one says; each with what ends the asking. */
  readonly #endedOnPeer = new Map<string, AbortController>();

  constructor(options: DeregistrationOptions) {
    this.#options = options;
  }

  /** Whether another replica says that the cluster's registration has ended, and the API server has not said yet what holds. */
  isEndedOnPeer(cluster: string): boolean {
    return this.#endedOnPeer.has(cluster);
  }

  /**
   * Ends every cluster that was heard of and is not registered. To be called when the registered clusters are known, and before outputs take
   * up the commit that took one away: with its streams closed, the agent hears of no deletion that only follows from its own end.
   * @param cause of the commit that told of it
   */
  check(cause: InputCause = EDIT): void {
    const { fleet, connections } = this.#options;
    const connected = new Set(connections.clusters);
    for (const cluster of new Set([...fleet.progress.keys(), ...connected, ...this.#doubted.keys()])) {
      if (fleet.isRegistered(cluster)) {
        this.#seen.add(cluster);
        this.#believe(cluster);
      } else if (this.#ending.has(cluster)) {
        // It is on its way out.
      } else if (this.#seen.has(cluster) || connected.has(cluster)) {
        void this.#end(cluster, cause);
      } else if (!this.#doubted.has(cluster)) {
        this.uncertainty(cluster);
        // From the store, when nobody knew yet who is registered.
        this.#leaveOut(cluster);
      }
    }
    for (const cluster of this.#endedOnPeer.keys()) if (!fleet.isRegistered(cluster)) this.onPeerAnnouncement(cluster);
  }

  /** The store has something of a cluster that is not registered here. It counts as soon as the cluster is; if it never is, it goes. */
  uncertainty(cluster: string): void {
    if (this.#doubted.has(cluster)) return;
    this.#options.logger.info('what the store has of a cluster that is not registered is left alone', { cluster });
    const decide = (): void => {
      this.#doubted.delete(cluster);
      if (!this.#options.fleet.isRegistered(cluster)) void this.#end(cluster, EDIT);
    };
    this.#doubted.set(cluster, setTimeout(decide, UNCERTAINTY).unref());
  }

  /**
   * Another replica has forgotten a cluster. If it is registered as far as this one knows, then one of them is behind, and the API server is asked which:
   * until it answers, no agent of the cluster is let in here.
   */
  deletedOnPeer(cluster: string): void {
    const { fleet, closeStreams } = this.#options;
    closeStreams(cluster);
    if (!fleet.isRegistered(cluster) || this.#endedOnPeer.has(cluster)) return;
    const asking = new AbortController();
    this.#endedOnPeer.set(cluster, asking);
    void this.#ask(cluster, asking.signal);
  }

  /** Another replica tells of a cluster: its agent was let in there. */
  onPeerAnnouncement(cluster: string): void {
    this.#endedOnPeer.get(cluster)?.abort();
    this.#endedOnPeer.delete(cluster);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#doubted.values()) clearTimeout(timer);
    this.#doubted.clear();
    for (const cluster of this.#endedOnPeer.keys()) this.onPeerAnnouncement(cluster);
  }

  /** It is registered: what was left alone so far counts. */
  #believe(cluster: string): void {
    if (!this.#confirm(cluster)) return;
    const { fleet, connections, logger } = this.#options;
    if (connections.isHere(cluster)) return;
    fleet.compare(cluster).catch((error: unknown) => {
      logger.error('what the store has of a cluster cannot be taken up', { cluster, error });
    });
  }

  /** @returns whether there was any doubt */
  #confirm(cluster: string): boolean {
    clearTimeout(this.#doubted.get(cluster));
    return this.#doubted.delete(cluster);
  }

  #leaveOut(cluster: string): void {
    const { fleet, logger } = this.#options;
    fleet.leaveOut(cluster).catch((error: unknown) => {
      logger.error('a cluster that is not registered cannot be left out', { cluster, error });
    });
  }

  /** Asks until the API server has the registration, or its end has come here, too. */
  async #ask(cluster: string, signal: AbortSignal): Promise<void> {
    const { confirm, logger } = this.#options;
    const pauses = new Backoff({ ...ASK, random: Math.random });
    logger.info('another replica says that a registration has ended', { cluster });
    while (!signal.aborted) {
      try {
        if (!(await confirm(cluster))) this.onPeerAnnouncement(cluster);
      } catch (error) {
        logger.warn('whether a registration has ended cannot be asked: its agent is not let in', { cluster, error });
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
      // That a list lacks a cluster is not enough to forget it.
      if (cause.type !== 'observed' && (!(await confirm(cluster)) || fleet.isRegistered(cluster))) return;
      logger.info('cluster deregistered', { cluster });
      outputs.end(cluster);
      connections.forget(cluster);
      await fleet.forget(cluster, cause);
      forgotten = true;
      this.#confirm(cluster);
    } catch (error) {
      logger.error('a deregistered cluster cannot be forgotten', { cluster, error });
    } finally {
      this.#ending.delete(cluster);
      // It is asked again; nothing of it is taken away by then.
      if (!forgotten && !fleet.isRegistered(cluster)) this.uncertainty(cluster);
    }
  }
}
