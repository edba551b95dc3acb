/** One list for all lists of the very same objects: thousands of destinations have the same policies, in the same order. */

const MANY = 1_024;

/**
 * Finds lists by the identity of their members. It keeps none alive: what nobody holds any more is forgotten in time.
 * Members and lists must never change, as nothing in a view does.
 */
class Lists {
  readonly #numbers = new WeakMap<object, number>();
  readonly #lists = new Map<string, WeakRef<readonly object[]>>();
  #nextNumber = 0;
  #sweepAt = MANY;

  find<T extends object>(list: readonly T[]): readonly T[] {
    let id = '';
    for (const member of list) id += `${this.#numberOf(member)},`;
    const known = this.#lists.get(id)?.deref();
    if (known !== undefined) return known as readonly T[];
    this.#lists.set(id, new WeakRef(list));
    if (this.#lists.size > this.#sweepAt) this.#sweep();
    return list;
  }

  #numberOf(member: object): number {
    const known = this.#numbers.get(member);
    if (known !== undefined) return known;
    this.#nextNumber += 1;
    this.#numbers.set(member, this.#nextNumber);
    return this.#nextNumber;
  }

  /** Costs as much as was added since the last time. */
  #sweep(): void {
    for (const [id, list] of this.#lists) if (list.deref() === undefined) this.#lists.delete(id);
    this.#sweepAt = Math.max(MANY, 2 * this.#lists.size);
  }
}

const LISTS = new Lists();

/** The one list of these very objects in this order. What is remembered of a list is then remembered for all like it. */
export function sameList<T extends object>(list: readonly T[]): readonly T[] {
  return LISTS.find(list);
}
