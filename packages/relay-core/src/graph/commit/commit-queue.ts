/** Order of commits: one at a time, first in first out; some of them yield. */
import type { ChangeSet, YieldOptions } from '../collection.ts';
import { GraphError } from '../errors.ts';

/** Runs the callback of the transaction, if there is one, and prepares its commit. */
export type StartCommit = () => CommitRun;

/** A running commit; it can stop between keys and continue. */
export interface CommitRun {
  /** Runs until done, or until `enough` returns true. @returns whether the commit is done */
  work(enough?: () => boolean): boolean;
  /** Publishes the result and notifies the listeners. */
  publish(): ChangeSet;
}

/** A yielding commit that is running or queued. */
interface Entry {
  readonly start: StartCommit;
  readonly yieldOptions: YieldOptions;
  readonly outcome: PromiseWithResolvers<ChangeSet>;
  run: CommitRun | undefined;
  settled: boolean;
  /**
   * Error thrown by `now` or `pause`. The commit then continues without yielding, and its promise rejects with this
   * error.
   */
  yieldOptionsFault: { readonly error: unknown } | undefined;
}

/**
 * Queue of commits. A synchronous commit first finishes all queued yielding commits without yielding. It never fails
 * because another commit is running, and all commits stay in order.
 */
export class CommitQueue {
  readonly #entries: Entry[] = [];
  #inside = false;
  #pumping = false;
  #broken: { readonly error: unknown } | undefined;

  commit(start: StartCommit): ChangeSet {
    this.#refuse();
    for (let first = this.#entries[0]; first !== undefined; first = this.#entries[0]) this.#advance(first);
    const run = this.#begin(start);
    this.#work(run);
    return run.publish();
  }

  async commitYielding(start: StartCommit, yieldOptions: YieldOptions): Promise<ChangeSet> {
    this.#refuse();
    const outcome = Promise.withResolvers<ChangeSet>();
    this.#entries.push({ start, yieldOptions, outcome, run: undefined, settled: false, yieldOptionsFault: undefined });
    void this.#pump();
    return outcome.promise;
  }

  /** Never rejects: an error of a commit goes to that commit's promise. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    for (let first = this.#entries[0]; first !== undefined; first = this.#entries[0]) {
      while (!this.#advance(first, sliceEnd(first))) await pause(first);
    }
    this.#pumping = false;
  }

  /** Works on the first entry. @returns whether it is finished */
  #advance(entry: Entry, enough?: () => boolean): boolean {
    if (entry.settled) return true;
    try {
      entry.run ??= this.#begin(entry.start);
      if (!this.#work(entry.run, enough)) return false;
      this.#converge(entry);
      const changes = entry.run.publish();
      if (entry.yieldOptionsFault === undefined) entry.outcome.resolve(changes);
      else entry.outcome.reject(entry.yieldOptionsFault.error);
    } catch (error) {
      this.#converge(entry);
      entry.outcome.reject(error);
    }
    return true;
  }

  /** Removes the entry before its listeners run, so that they may commit. */
  #converge(entry: Entry): void {
    if (entry.settled) return;
    entry.settled = true;
    this.#entries.shift();
  }

  #begin(start: StartCommit): CommitRun {
    this.#refuse();
    this.#inside = true;
    try {
      return start();
    } finally {
      this.#inside = false;
    }
  }

  #work(run: CommitRun, enough?: () => boolean): boolean {
    this.#inside = true;
    try {
      return run.work(enough);
    } catch (error) {
      // Errors of user functions never reach this point. Readers keep the last finished commit.
      this.#broken = { error };
      throw this.#brokenError(error);
    } finally {
      this.#inside = false;
    }
  }

  #refuse(): void {
    if (this.#broken !== undefined) throw this.#brokenError(this.#broken.error);
    if (!this.#inside) return;
    const message = 'commit from inside a transform or a transaction: return data instead, and commit after the call';
    throw new GraphError('GRAPH_E_BUSY', message);
  }

  #brokenError(cause: unknown): GraphError {
    const message =
      'a commit broke off inside the graph, which shows its last finished commit: make a new graph from the sources';
    return new GraphError('GRAPH_E_BROKEN', message, { cause });
  }
}

/** The end of the slice that begins now. */
function sliceEnd(entry: Entry): () => boolean {
  const { now, sliceMs } = entry.yieldOptions;
  let started: number | undefined;
  return () => {
    if (entry.yieldOptionsFault !== undefined) return false;
    try {
      started ??= now();
      return now() - started >= sliceMs;
    } catch (error) {
      entry.yieldOptionsFault = { error };
      return false;
    }
  };
}

async function pause(entry: Entry): Promise<void> {
  try {
    await entry.yieldOptions.pause();
  } catch (error) {
    entry.yieldOptionsFault = { error };
  }
}
