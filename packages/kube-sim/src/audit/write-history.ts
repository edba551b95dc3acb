/** Every effective write: time, author, and the change of the object. For tests that check what programs did. */
import type { KubeObject } from '../object.ts';
import type { StoredEvent } from '../storage/event-history.ts';

/** The author of writes. */
export interface Actor {
  readonly user: string;
  readonly userAgent: string;
  /** The RBAC verb. */
  readonly verb: string;
}

/** An effective write; one without a change is not recorded. */
export interface WriteRecord {
  /** Milliseconds since 1970, by the simulator's clock. */
  readonly at: number;
  /** Its revision. */
  readonly revision: number;
  readonly type: StoredEvent['type'];
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** The stored object; for a deletion, the removed one. It must not be changed. */
  readonly object: KubeObject;
  /** The previous object; absent for a new one. It must not be changed. */
  readonly previous?: KubeObject;
  /** Undefined for the simulator's own controllers, upkeep and `objects`. */
  readonly actor: Actor | undefined;
}

/** Creates records of stored changes. */
export class WriteHistory {
  readonly #record: ((record: WriteRecord) => void) | undefined;
  readonly #now: () => number;
  #actor: Actor | undefined;

  /** Without `record` nothing is stored. */
  constructor(record: ((record: WriteRecord) => void) | undefined, now: () => number) {
    this.#record = record;
    this.#now = now;
  }

  /** Writes of `run`, before it returns, are attributed to this actor. */
  during<T>(actor: Actor, run: () => T): T {
    this.#actor = actor;
    try {
      return run();
    } finally {
      this.#actor = undefined;
    }
  }

  /** Records a change of the store. */
  note(resource: { readonly group: string; readonly plural: string }, event: StoredEvent): void {
    if (this.#record === undefined) return;
    const { revision, type, object, previous } = event;
    const { group, plural } = resource;
    const before = previous === undefined ? {} : { previous };
    this.#record({ at: this.#now(), revision, type, group, resource: plural, object, ...before, actor: this.#actor });
  }
}
