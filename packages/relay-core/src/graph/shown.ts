/** A collection as readers outside the graph see it: each value made of what the graph keeps when somebody asks for it. */
import type { Change, Collection } from './collection.ts';
import type { Key } from './key.ts';

/** No transform can read it; listeners ask for its changes as for those of any other. */
export class MappedCollection<Retained, Shown> implements Collection<Shown> {
  readonly name: string;
  /** What the graph keeps. */
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

/** Most listeners look at one side of a change only. */
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
