/**
 * Runs discovery: changes that watches report in one tick are one commit of the graph, or two if objects were deleted.
 * Listeners receive the resulting changes.
 */
import { setImmediate } from 'node:timers';
import {
  type ChangeSet,
  createGraph,
  type Discovery,
  discoverCluster,
  type Graph,
  isBroken,
  type LoadedPlugin,
  type Quarantine,
  type Transaction,
} from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';

/** Writes to sources of the discovery. */
export type DiscoveryWrite = (transaction: Transaction, discovery: Discovery) => void;

export interface DiscoveryLoopOptions {
  readonly cluster: string;
  readonly plugins: readonly LoadedPlugin[];
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Called when a fault of the graph itself makes further commits impossible: the caller needs a new loop. */
  readonly broken: (error: Error) => void;
}

/** Milliseconds that a commit may hold the thread before the Lease, health checks and streams get a turn. */
const SLICE_MS = 5;

/** Maximum length of a reason, so that a hello stays small. */
const MAX_REASON = 200;

interface Waiting {
  readonly write: DiscoveryWrite;
  readonly observed: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Discovery of this cluster, in a graph of its own. */
export class DiscoveryLoop {
  readonly discovery: Discovery;
  readonly #graph: Graph;
  readonly #options: DiscoveryLoopOptions;
  #waiting: Waiting[] = [];
  #running = false;
  #observed = false;

  constructor(options: DiscoveryLoopOptions) {
    this.#options = options;
    this.#graph = createGraph();
    this.discovery = discoverCluster(this.#graph, options.cluster, options.plugins);
    this.#graph.subscribe((changes) => this.#reportFaults(changes));
    for (const { plugin, error } of this.discovery.failed)
      options.logger.error('discovery of a plugin failed; it discovers nothing until this process restarts', {
        plugin,
        error,
      });
  }

  /** Plugins whose discovery failed, each with the reason, for the server. */
  get failedPlugins(): readonly string[] {
    return this.discovery.failed.map(
      ({ plugin, error }) =>
        `${plugin}: ${(error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON)}`,
    );
  }

  /** Number of keys that keep their last good result because a plugin failed on them. */
  get quarantined(): number {
    return this.#graph.quarantined.size;
  }

  /**
   * Registers a listener for each commit's changes. `observed`: the commit consists only of observed deletions.
   * @returns a function that unregisters it
   */
  listen(listener: (changes: ChangeSet, observed: boolean) => void): () => void {
    return this.#graph.subscribe((changes) => listener(changes, this.#observed));
  }

  /**
   * Resolves once listeners have received everything that follows from the write.
   * @param observed the write only deletes objects whose deletion was observed
   */
  write(write: DiscoveryWrite, observed = false): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ write, observed, done, failed });
      if (this.#running) return;
      this.#running = true;
      // Watches of several kinds with events in the same tick share a commit.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    const { now } = this.#options;
    const yieldOptions = { sliceMs: SLICE_MS, now, pause: () => new Promise<void>((resume) => setImmediate(resume)) };
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      try {
        await this.#graph.commitYielding((transaction) => {
          for (const { write } of batch) write(transaction, this.discovery);
        }, yieldOptions);
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
        if (isBroken(error)) this.#options.broken(error);
      }
    }
    this.#running = false;
  }

  /** Takes the first writes of the same type: all results of a commit must have one cause. */
  #takeBatch(): readonly Waiting[] {
    const { observed } = this.#waiting[0] as Waiting;
    const other = this.#waiting.findIndex((one) => one.observed !== observed);
    const batch = other < 0 ? this.#waiting : this.#waiting.slice(0, other);
    this.#waiting = other < 0 ? [] : this.#waiting.slice(other);
    this.#observed = observed;
    return batch;
  }

  #reportFaults(changes: ChangeSet): void {
    const { logger } = this.#options;
    for (const { after } of changes.of<Quarantine>(this.#graph.quarantined)) {
      if (after === undefined) continue;
      const { node, key, error } = after;
      logger.error('discovery failed for an object; its last valid result stays', { node, item: key, error });
    }
  }
}
