/** Rows by hash: at most one row for each hash, outside the heap, eight bytes a place, or four where each row is its own hash. */

/** What a place holds beside a hash: a row and one, or one of these. */
const EMPTY = 0;

const LEAST_PLACES = 16;

/** An open table with places in a ring: what stood behind a removed row moves up, so nothing remains of it. It grows by little, so that few places are empty. */
export class HashRows {
  /** Undefined where rows are their own hashes. */
  #hashes: Int32Array | undefined;
  #rows = new Int32Array(LEAST_PLACES);
  #size = 0;

  constructor(hashes: 'others' | 'themselves' = 'others') {
    this.#hashes = hashes === 'themselves' ? undefined : new Int32Array(LEAST_PLACES);
  }

  /** A table where each row stands under itself: a set of rows. */
  static underThemselves(): HashRows {
    return new HashRows('themselves');
  }

  get size(): number {
    return this.#size;
  }

  /** The row under a hash; undefined where there is none. */
  get(hash: number): number | undefined {
    const held = this.#rows[this.#locationOf(hash)] as number;
    return held === EMPTY ? undefined : held - 1;
  }

  /** Puts a row under a hash that has none. */
  add(hash: number, row: number): void {
    const { length } = this.#rows;
    if ((this.#size + 1) * 4 > length * 3) this.#resize(length + (length >>> 2));
    this.#put(hash, row + 1);
    this.#size += 1;
  }

  /** Takes the row under a hash away, where there is one. */
  remove(hash: number): void {
    let hole = this.#locationOf(hash);
    if (this.#rows[hole] === EMPTY) return;
    for (let at = this.#after(hole); this.#rows[at] !== EMPTY; at = this.#after(at)) {
      const moving = this.#hashAt(at);
      const bucketSlot = this.#homeOf(moving);
      // It may move up only where it is still found from its home.
      if (this.#distance(bucketSlot, at) < this.#distance(hole, at)) continue;
      if (this.#hashes !== undefined) this.#hashes[hole] = moving;
      this.#rows[hole] = this.#rows[at] as number;
      hole = at;
    }
    this.#rows[hole] = EMPTY;
    this.#size -= 1;
    const { length } = this.#rows;
    if (length > LEAST_PLACES && this.#size * 4 < length) this.#resize(length >>> 1);
  }

  /** All rows; their order says nothing. */
  *rows(): Iterable<number> {
    for (const held of this.#rows) if (held !== EMPTY) yield held - 1;
  }

  /** Where a hash stands, or would stand. */
  #locationOf(hash: number): number {
    let at = this.#homeOf(hash);
    while (this.#rows[at] !== EMPTY && this.#hashAt(at) !== hash) at = this.#after(at);
    return at;
  }

  #hashAt(place: number): number {
    return this.#hashes === undefined ? (this.#rows[place] as number) - 1 : (this.#hashes[place] as number);
  }

  #after(place: number): number {
    return place + 1 === this.#rows.length ? 0 : place + 1;
  }

  /** How far it is from one place on to another. */
  #distance(from: number, to: number): number {
    return to >= from ? to - from : to - from + this.#rows.length;
  }

  /** Hashes of texts differ most in their last bits, and the first ones choose. */
  #homeOf(hash: number): number {
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x9e37_79b1) >>> 0;
    return Math.floor((mixed / 2 ** 32) * this.#rows.length);
  }

  #put(hash: number, held: number): void {
    const at = this.#locationOf(hash);
    if (this.#hashes !== undefined) this.#hashes[at] = hash;
    this.#rows[at] = held;
  }

  #resize(places: number): void {
    const [hashes, rows] = [this.#hashes, this.#rows];
    if (hashes !== undefined) this.#hashes = new Int32Array(places);
    this.#rows = new Int32Array(places);
    for (let at = 0; at < rows.length; at++) {
      const held = rows[at] as number;
      if (held !== EMPTY) this.#put(hashes?.[at] ?? held - 1, held);
    }
  }
}
