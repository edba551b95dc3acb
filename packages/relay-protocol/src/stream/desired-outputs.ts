/** The desired outputs of one cluster: the objects, their inputs, and whether they are complete. */
import type { ObjectEnvelope, ObjectKey } from '../object/envelope.ts';
import { ObjectTable } from '../object/object-table.ts';
import type { InputVector } from '../vector/input-vector.ts';

/** One result of the graph for one cluster. */
export interface OutputCommit {
  /** The whole input vector of this result. Pass the same Map if it did not change. */
  readonly vector: InputVector;
  /** The vector before the inputs that led to this result, if known: earlier changes had no effect here. */
  readonly since?: InputVector;
  readonly upserts?: Iterable<ObjectEnvelope>;
  readonly deletes?: Iterable<ObjectKey>;
  /** Whether the desired outputs are complete, so that the agent may delete all others. */
  readonly complete: boolean;
}

/**
 * The desired outputs of a cluster. They outlive streams. Pass the same envelope to several clusters, and it is encoded
 * once.
 */
export class DesiredOutputs {
  readonly table: ObjectTable = new ObjectTable();
  readonly #listeners = new Set<(commit: OutputCommit) => void>();
  #vector: InputVector = new Map();
  #complete = false;
  #begun = false;

  /** Whether there was a result: before, nothing is desired and absent objects have no meaning. */
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
   * Commits a result. The vector is updated first: a sender that reads in between may claim newer inputs than those of
   * an object. That object is then sent again at once. In the opposite order, an older replica's output could pass as
   * newer.
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

  /** Calls back after each commit. @returns a function that removes the listener */
  listen(listener: (commit: OutputCommit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
