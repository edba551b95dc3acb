/** What happens to clusters whose registration has ended: they are heard no more, and forgotten; what they have stays. */
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
  readonly logger: Logger;
}

export class Deregistration {
  readonly #options: DeregistrationOptions;
  readonly #ending = new Set<string>();

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
    for (const cluster of new Set([...fleet.progress.keys(), ...connections.clusters]))
      if (!fleet.isRegistered(cluster) && !this.#ending.has(cluster)) void this.#end(cluster, cause);
  }

  async #end(cluster: string, cause: InputCause): Promise<void> {
    const { fleet, outputs, connections, closeStreams, logger } = this.#options;
    logger.info('cluster deregistered', { cluster });
    this.#ending.add(cluster);
    try {
      closeStreams(cluster);
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
