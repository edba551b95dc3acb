/** Discovery at work: what watches tell in one tick is one commit of the graph, and what the commit changed goes on. */
import { setImmediate } from 'node:timers';
import {
  type ChangeSet,
  createGraph,
  type Discovery,
  discoverCluster,
  type Graph,
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
}

/** How long a commit may hold the thread before the Lease, health checks and streams get their turn, in milliseconds. */
const SLICE_MS = 5;

interface Waiting {
  readonly write: DiscoveryWrite;
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

  /** Told of each commit's changes. @returns what ends it */
  listen(listener: (changes: ChangeSet) => void): () => void {
    return this.#graph.subscribe(listener);
  }

  /** Resolves once everything that follows from the write has been told to listeners. */
  write(write: DiscoveryWrite): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ write, done, failed });
      if (this.#running) return;
      this.#running = true;
      // Watches of several kinds that have news in the same tick share a commit.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    const { now } = this.#options;
    const pacing = { sliceMs: SLICE_MS, now, pause: () => new Promise<void>((resume) => setImmediate(resume)) };
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#graph.commitPausing((transaction) => {
          for (const { write } of batch) write(transaction, this.discovery);
        }, pacing);
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#running = false;
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
