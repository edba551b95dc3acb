/** A collection that maps the values stored in the graph on demand, for readers outside the graph. */
import type { Collection, Key } from '@meshrelay/plugin';
import type { Change } from './collection.ts';

/** Transforms cannot read it. Listeners read its changes like those of any collection. */
export class MappedCollection<Retained, Shown> implements Collection<Shown> {
  readonly name: string;
  /** The collection stored in the graph. */
  readonly retained: Collection<Retained>;
  readonly #show: (retained: Retained, key: Key) => Shown;

  constructor(retained: Collection<Retained>, show: (retained: Retained, key: Key) => Shown) {
    this.name = retained.name;
    this.retained = retained;
    this.#show = show;
  }

  get(key: Key): Shown | undefined {
    const retained = this.retained.get(key);
    return retained === undefined ? undefined : this.#show(retained, key);
  }

  has(key: Key): boolean {
    return this.retained.has(key);
  }

  *entries(): IterableIterator<readonly [Key, Shown]> {
    for (const [key, retained] of this.retained.entries()) yield [key, this.#show(retained, key)];
  }

  get size(): number {
    return this.retained.size;
  }

  shownChange(change: Change<Retained>): Change<Shown> {
    return new ShownChange(change, this.#show);
  }
}

/** Maps `before` and `after` on demand, because most listeners read only one of them. */
class ShownChange<Retained, Shown> implements Change<Shown> {
  readonly #change: Change<Retained>;
  readonly #show: (retained: Retained, key: Key) => Shown;

  constructor(change: Change<Retained>, show: (retained: Retained, key: Key) => Shown) {
    this.#change = change;
    this.#show = show;
  }

  get key(): Key {
    return this.#change.key;
  }

  get before(): Shown | undefined {
    const { before } = this.#change;
    return before === undefined ? undefined : this.#show(before, this.key);
  }

  get after(): Shown | undefined {
    const { after } = this.#change;
    return after === undefined ? undefined : this.#show(after, this.key);
  }
}
