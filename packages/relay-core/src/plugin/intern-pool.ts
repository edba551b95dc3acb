/** One object for all that are equal: found again by what tells them apart, for as long as somebody holds it. */

import { onCompaction } from './memoize.ts';

/** So many of those asked for since the last rest are held: weak references cost much more than a map, to be made and to be asked. */
const RECENT = 65_536;
/** As many as this stay held at rest: they are what a few edits ask for time and again. */
const SMALL_COUNT = 1_024;

/** What tells objects apart. */
type Id = string | number;

/** Objects by their ids. But for the most recent, until rest, it keeps none alive: what nobody holds any more is forgotten in time. They must never change, as nothing in a view does. */
export class InternPool<T extends object> {
  #recent = new Map<Id, T>();
  readonly #older = new Map<Id, WeakRef<T>>();
  #sweepAt = SMALL_COUNT;

  /** To be made once, at the top of a module. */
  constructor() {
    onCompaction(() => {
      if (this.#recent.size > SMALL_COUNT) this.#letGo();
    });
  }

  /** The object that has this id already, else the given one. */
  of(id: Id, value: T): T {
    const recent = this.#recent.get(id);
    if (recent !== undefined) return recent;
    const known = this.#older.get(id)?.deref() ?? value;
    if (this.#recent.size === RECENT) this.#letGo();
    this.#recent.set(id, known);
    return known;
  }

  /** Costs as much as was asked for since the last time. */
  #letGo(): void {
    for (const [id, value] of this.#recent)
      if (this.#older.get(id)?.deref() !== value) this.#older.set(id, new WeakRef(value));
    this.#recent = new Map();
    if (this.#older.size <= this.#sweepAt) return;
    for (const [id, value] of this.#older) if (value.deref() === undefined) this.#older.delete(id);
    this.#sweepAt = Math.max(SMALL_COUNT, 2 * this.#older.size);
  }
}
