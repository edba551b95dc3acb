/** The one way to change the graph: writes that come together are committed together, and long commits let others run. */
import type { ChangeSet, Graph, Pacing, Transaction } from '@meshrelay/relay-core';

type Write = (transaction: Transaction) => void;

interface Waiting {
  readonly write: Write;
  readonly done: (changes: ChangeSet) => void;
  readonly failed: (error: unknown) => void;
}

/** How long a commit may hold the thread before leases, health checks and streams get their turn, in milliseconds. */
const SLICE_MS = 5;

export class CommitLoop {
  readonly #graph: Graph;
  readonly #pacing: Pacing;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(graph: Graph, now: () => number) {
    this.#graph = graph;
    this.#pacing = { sliceMs: SLICE_MS, now, pause: () => new Promise((resume) => setImmediate(resume)) };
  }

  /** Writes that wait for their commit. */
  get depth(): number {
    return this.#waiting.length;
  }

  /** Resolves with what changed once everything that follows from the write is up to date. */
  write(write: Write): Promise<ChangeSet> {
    return new Promise((done, failed) => {
      this.#waiting.push({ write, done, failed });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const changes = await this.#graph.commitPausing((transaction) => {
          for (const { write } of batch) write(transaction);
        }, this.#pacing);
        for (const { done } of batch) done(changes);
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#running = false;
  }
}
