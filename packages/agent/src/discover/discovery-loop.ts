/** Discovery at work: what watches tell in one tick is one commit of the graph, or two where objects were deleted, and what it changed goes on. */
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
  /** Nothing can be committed any more, by a fault of the graph itself: whoever goes on needs another loop. */
  readonly broken: (error: Error) => void;
}

/** How long a commit may hold the thread before the Lease, health checks and streams get their turn, in milliseconds. */
const SLICE_MS = 5;

interface Waiting {
  readonly write: DiscoveryWrite;
  readonly observed: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** The discovery of this cluster in a graph of its own. */
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
  }

  /** Keys that keep their last good result because a plugin failed on them. */
  get quarantined(): number {
    return this.#graph.quarantined.size;
  }

  /**
   * Told of each commit's changes, and whether it was of nothing but objects that were seen to be deleted.
   * @returns what ends it
   */
  listen(listener: (changes: ChangeSet, observed: boolean) => void): () => void {
    return this.#graph.subscribe((changes) => listener(changes, this.#observed));
  }

  /**
   * Resolves once everything that follows from the write has been told to listeners.
   * @param observed the write only deletes objects that were seen to be deleted
   */
  write(write: DiscoveryWrite, observed = false): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ write, observed, done, failed });
      if (this.#running) return;
      this.#running = true;
      // Watches of several kinds that have news in the same tick share a commit.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    const { now } = this.#options;
    const yieldOptions = { sliceMs: SLICE_MS, now, pause: () => new Promise<void>((resume) => setImmediate(resume)) };
    while (this.#waiting.length > 0) {
      const batch = this.#takeAlike();
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

  /** The first that are alike: what follows from a commit is to have one cause. */
  #takeAlike(): readonly Waiting[] {
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
      logger.error('discovery failed on an object, its last good result stays', { node, item: key, error });
    }
  }
}
