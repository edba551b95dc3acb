/** The recent changes of one resource, from which watches and lists can resume at a past resourceVersion. */
import type { KubeObject } from '../object.ts';

/** One change. `object` of a DELETED is the last state with the revision of the deletion. */
export interface StoredEvent {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly object: KubeObject;
  /** The earlier state; absent for ADDED. */
  readonly previous?: KubeObject;
}

/** A bounded log of changes: the oldest are compacted once `capacity` is exceeded. */
export class EventHistory {
  #events: StoredEvent[] = [];
  #compactedThrough: number;
  readonly #capacity: number;

  /** `start` is the revision before which nothing is known. */
  constructor(start: number, capacity: number) {
    this.#compactedThrough = start;
    this.#capacity = capacity;
  }

  /** The newest compacted revision, exclusive: resuming from it still works. */
  get compactedThrough(): number {
    return this.#compactedThrough;
  }

  /** Appends a change. Old entries are removed in larger steps, so that appending stays cheap. */
  append(event: StoredEvent): void {
    this.#events.push(event);
    if (this.#events.length >= this.#capacity * 2) this.#drop(this.#events.length - this.#capacity);
  }

  /** Drops every change up to and including the revision. */
  compact(revision: number): void {
    this.#drop(this.#firstAfter(revision));
    this.#compactedThrough = Math.max(this.#compactedThrough, revision);
  }

  /** The changes after a revision, oldest first, or undefined if some of them were dropped. */
  after(revision: number): readonly StoredEvent[] | undefined {
    if (revision < this.#compactedThrough) return undefined;
    return this.#events.slice(this.#firstAfter(revision));
  }

  #drop(count: number): void {
    const last = this.#events[count - 1];
    if (last === undefined) return;
    this.#compactedThrough = last.revision;
    this.#events = this.#events.slice(count);
  }

  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle] as StoredEvent).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
