/** What the server wants one cluster to have: the objects, the inputs they were computed from, and whether that is all. */
import type { ObjectEnvelope, ObjectKey } from '../object/envelope.ts';
import { ObjectTable } from '../object/object-table.ts';
import type { InputVector } from '../vector/input-vector.ts';

/** One result of the graph for one cluster. */
export interface OutputCommit {
  /** The whole vector of inputs as of this result. Keep the same Map when it did not change. */
  readonly vector: InputVector;
  /** The vector before the inputs that led to this result, where that is known: what moved until then led to nothing here. */
  readonly since?: InputVector;
  readonly upserts?: Iterable<ObjectEnvelope>;
  readonly deletes?: Iterable<ObjectKey>;
  /** Whether what is now desired is everything, so that what the agent has beyond it may be deleted. */
  readonly complete: boolean;
}

/** The desired outputs of a cluster. They outlive streams; give the same envelope to several clusters and it is encoded once. */
export class DesiredOutputs {
  readonly table: ObjectTable = new ObjectTable();
  readonly #listeners = new Set<(commit: OutputCommit) => void>();
  #vector: InputVector = new Map();
  #complete = false;
  #begun = false;

  /** Whether there has been a result at all: before, nothing is desired and nothing may be said about what is not. */
  get begun(): boolean {
    return this.#begun;
  }

  get vector(): InputVector {
    return this.#vector;
  }

  get complete(): boolean {
    return this.#complete;
  }

  /**
   * Takes a result. The vector goes first: a sender that looks in between may claim newer inputs than an object was made of, and sends it
   * again at once; the opposite would let an older replica's output pass for a newer one.
   */
  commit(commit: OutputCommit): void {
    const { vector, upserts = [], deletes = [], complete } = commit;
    this.#begun = true;
    this.#vector = vector;
    this.#complete = complete;
    for (const envelope of upserts) this.table.upsert(envelope);
    for (const key of deletes) this.table.delete(key);
    for (const listener of this.#listeners) listener(commit);
  }

  /** Calls back after each commit. @returns what ends it. */
  listen(listener: (commit: OutputCommit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
