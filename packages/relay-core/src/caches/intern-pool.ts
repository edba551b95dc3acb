/** Shares one object among equal ones: found by id, as long as any reference to it exists. */

import { onCompaction } from '@meshrelay/plugin/host';

/**
 * At most this many objects requested since the last compaction are held strongly: creating and reading weak references
 * costs much more than a map.
 */
const RECENT = 65_536;
/** Up to this many stay held after a compaction: a few edits request them again and again. */
const SMALL_COUNT = 1_024;

/** Identifies equal objects. */
type Id = string | number;

/**
 * Objects by their ids. Except for recent ones until compaction, the pool keeps none alive: unreferenced objects are
 * collected in time. Objects must never change, like everything in a view.
 */
export class InternPool<T extends object> {
  #recent = new Map<Id, T>();
  readonly #older = new Map<Id, WeakRef<T>>();
  #sweepAt = SMALL_COUNT;

  /** Create pools once, at the top of a module. */
  constructor() {
    onCompaction(() => {
      if (this.#recent.size > SMALL_COUNT) this.#letGo();
    });
  }

  /** The existing object with this id, or else the given one. */
  of(id: Id, value: T): T {
    const recent = this.#recent.get(id);
    if (recent !== undefined) return recent;
    const known = this.#older.get(id)?.deref() ?? value;
    if (this.#recent.size === RECENT) this.#letGo();
    this.#recent.set(id, known);
    return known;
  }

  /** The cost is proportional to the requests since the last compaction. */
  #letGo(): void {
    for (const [id, value] of this.#recent)
      if (this.#older.get(id)?.deref() !== value) this.#older.set(id, new WeakRef(value));
    this.#recent = new Map();
    if (this.#older.size <= this.#sweepAt) return;
    for (const [id, value] of this.#older) if (value.deref() === undefined) this.#older.delete(id);
    this.#sweepAt = Math.max(SMALL_COUNT, 2 * this.#older.size);
  }
}
