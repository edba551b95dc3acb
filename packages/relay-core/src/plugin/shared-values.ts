/** One object for all that are equal: found again by what tells them apart, for as long as somebody holds it. */

const MANY = 1_024;

/** Objects by their ids. It keeps none alive: what nobody holds any more is forgotten in time. They must never change, as nothing in a view does. */
export class SharedValues<T extends object> {
  readonly #values = new Map<string, WeakRef<T>>();
  #sweepAt = MANY;

  /** The object that has this id already, else the given one. */
  of(id: string, value: T): T {
    const known = this.#values.get(id)?.deref();
    if (known !== undefined) return known;
    this.#values.set(id, new WeakRef(value));
    if (this.#values.size > this.#sweepAt) this.#sweep();
    return value;
  }

  /** Costs as much as was added since the last time. */
  #sweep(): void {
    for (const [id, value] of this.#values) if (value.deref() === undefined) this.#values.delete(id);
    this.#sweepAt = Math.max(MANY, 2 * this.#values.size);
  }
}
