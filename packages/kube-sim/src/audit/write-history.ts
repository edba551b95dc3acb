/** Every write that took effect: when, by whom, what it made of the object. For tests that judge what programs did. */
import type { KubeObject } from '../object.ts';
import type { StoredEvent } from '../storage/event-history.ts';

/** Who writes. */
export interface Actor {
  readonly user: string;
  readonly userAgent: string;
  /** As RBAC calls it. */
  readonly verb: string;
}

/** A write that took effect; one that changes nothing leaves none. */
export interface WriteRecord {
  /** Milliseconds since 1970, by the simulator's clock. */
  readonly at: number;
  /** The revision it made. */
  readonly revision: number;
  readonly type: StoredEvent['type'];
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** As it is stored now; of a deletion, what was removed. It must not be changed. */
  readonly object: KubeObject;
  /** As it was; absent where it is new. It must not be changed. */
  readonly previous?: KubeObject;
  /** Undefined for the simulator's own controllers, upkeep and `objects`. */
  readonly actor: Actor | undefined;
}

/** Hands out records of what is stored. */
export class WriteHistory {
  readonly #record: ((record: WriteRecord) => void) | undefined;
  readonly #now: () => number;
  #actor: Actor | undefined;

  /** Without `record` nothing is kept of anything. */
  constructor(record: ((record: WriteRecord) => void) | undefined, now: () => number) {
    this.#record = record;
    this.#now = now;
  }

  /** What `run` writes, before it returns, is this actor's. */
  during<T>(actor: Actor, run: () => T): T {
    this.#actor = actor;
    try {
      return run();
    } finally {
      this.#actor = undefined;
    }
  }

  /** Takes note of a change of the store. */
  note(resource: { readonly group: string; readonly plural: string }, event: StoredEvent): void {
    if (this.#record === undefined) return;
    const { revision, type, object, previous } = event;
    const { group, plural } = resource;
    const before = previous === undefined ? {} : { previous };
    this.#record({ at: this.#now(), revision, type, group, resource: plural, object, ...before, actor: this.#actor });
  }
}
