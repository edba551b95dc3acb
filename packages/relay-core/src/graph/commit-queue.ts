/** The order of commits: one at a time, in the order they were asked for, some of them pausing. */
import type { ChangeSet, YieldOptions } from './collection.ts';
import { GraphError } from './errors.ts';

/** Runs the callback of a transaction, if there is one, and prepares its commit. */
export type StartCommit = () => CommitRun;

/** One commit under way: it can stop between keys and go on. */
export interface CommitRun {
  /** Works until done, or until `enough` says so. @returns whether it is done */
  work(enough?: () => boolean): boolean;
  /** Makes the result visible and tells the listeners. */
  publish(): ChangeSet;
}

/** A pausing commit that is under way or waits for its turn. */
interface Entry {
  readonly start: StartCommit;
  readonly yieldOptions: YieldOptions;
  readonly outcome: PromiseWithResolvers<ChangeSet>;
  run: CommitRun | undefined;
  settled: boolean;
  /** What `now` or `pause` threw: the commit then goes on without pausing, and its caller hears of it. */
  yieldOptionsFault: { readonly error: unknown } | undefined;
}

/**
 * A synchronous commit asked for while a pausing one is under way first finishes that one, and those waiting, without pausing: it never
 * fails for being in the way, and all commits keep their order.
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

  /** Never rejects: what goes wrong with a commit goes to its own promise. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    for (let first = this.#entries[0]; first !== undefined; first = this.#entries[0]) {
      while (!this.#advance(first, sliceEnd(first))) await pause(first);
    }
    this.#pumping = false;
  }

  /** Works on the first entry. @returns whether it is settled */
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

  /** Takes the entry out before its listeners are told, so that these may commit. */
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
      // Faults of users' functions never come here. Readers keep the last finished commit.
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
