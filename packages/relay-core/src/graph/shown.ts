/** A collection as readers outside the graph see it: each value made of what the graph keeps when somebody asks for it. */
import type { Change, Collection } from './collection.ts';
import type { Key } from './key.ts';

/** No transform can read it; listeners ask for its changes as for those of any other. */
export class ShownCollection<Kept, Shown> implements Collection<Shown> {
  readonly name: string;
  /** What the graph keeps. */
  readonly kept: Collection<Kept>;
  readonly #show: (kept: Kept, key: Key) => Shown;

  constructor(kept: Collection<Kept>, show: (kept: Kept, key: Key) => Shown) {
    this.name = kept.name;
    this.kept = kept;
    this.#show = show;
  }

  get(key: Key): Shown | undefined {
    const kept = this.kept.get(key);
    return kept === undefined ? undefined : this.#show(kept, key);
  }

  has(key: Key): boolean {
    return this.kept.has(key);
  }

  *entries(): IterableIterator<readonly [Key, Shown]> {
    for (const [key, kept] of this.kept.entries()) yield [key, this.#show(kept, key)];
  }

  get size(): number {
    return this.kept.size;
  }

  shownChange(change: Change<Kept>): Change<Shown> {
    return new ShownChange(change, this.#show);
  }
}

/** Most listeners look at one side of a change only. */
class ShownChange<Kept, Shown> implements Change<Shown> {
  readonly #change: Change<Kept>;
  readonly #show: (kept: Kept, key: Key) => Shown;

  constructor(change: Change<Kept>, show: (kept: Kept, key: Key) => Shown) {
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
