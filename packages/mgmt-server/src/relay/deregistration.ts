/** What happens to clusters whose registration has ended: they are heard no more, and forgotten; what they have stays. */
import { clearTimeout, setTimeout } from 'node:timers';
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
 * How long a cluster that another replica told of may be unregistered here, in milliseconds: its KubernetesCluster may be so new that only the
 * other replica has heard of it.
 */
const DOUBT = 60_000;

export class Deregistration implements Disposable {
  readonly #options: DeregistrationOptions;
  readonly #ending = new Set<string>();
  /** Clusters that were registered as far as this replica knew. */
  readonly #seen = new Set<string>();
  /** Clusters that never were, each with what ends the doubt. */
  readonly #doubted = new Map<string, NodeJS.Timeout>();

  constructor(options: DeregistrationOptions) {
    this.#options = options;
  }

  /**
   * Ends every cluster that was heard of and is not registered. To be called when the registered clusters are known, and before outputs take
   * up the commit that took one away: with its streams closed, the agent hears of no deletion that only follows from its own end.
   * @param cause of the commit that told of it
   */
  check(cause: InputCause = EDIT): void {
    const { fleet, connections } = this.#options;
    const connected = new Set(connections.clusters);
    for (const cluster of new Set([...fleet.progress.keys(), ...connected])) {
      if (fleet.isRegistered(cluster)) {
        this.#seen.add(cluster);
        this.#believe(cluster);
      } else if (this.#ending.has(cluster)) {
        // It is on its way out.
      } else if (this.#seen.has(cluster) || connected.has(cluster)) {
        void this.#end(cluster, cause);
      } else if (!this.#doubted.has(cluster)) {
        const decide = (): void => {
          this.#believe(cluster);
          if (!fleet.isRegistered(cluster)) void this.#end(cluster, cause);
        };
        this.#doubted.set(cluster, setTimeout(decide, DOUBT).unref());
      }
    }
  }

  [Symbol.dispose](): void {
    for (const timer of this.#doubted.values()) clearTimeout(timer);
    this.#doubted.clear();
  }

  #believe(cluster: string): void {
    clearTimeout(this.#doubted.get(cluster));
    this.#doubted.delete(cluster);
  }

  async #end(cluster: string, cause: InputCause): Promise<void> {
    const { fleet, outputs, connections, closeStreams, confirm, logger } = this.#options;
    this.#ending.add(cluster);
    this.#seen.delete(cluster);
    try {
      closeStreams(cluster);
      // That a list lacks a cluster is not enough to forget it.
      if (cause.type !== 'observed' && (!(await confirm(cluster)) || fleet.isRegistered(cluster))) return;
      logger.info('cluster deregistered', { cluster });
      outputs.end(cluster);
      connections.forget(cluster);
      await fleet.forget(cluster, cause);
    } catch (error) {
      logger.error('a deregistered cluster cannot be forgotten', { cluster, error });
    } finally {
      this.#ending.delete(cluster);
    }
  }
}
