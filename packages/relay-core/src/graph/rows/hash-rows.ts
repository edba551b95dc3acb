/**
 * Table from hash to row, at most one row per hash, outside the heap. A slot takes eight bytes, or four if each row is
 * its own hash.
 */

/** Slot content next to the hash: a row plus one, or one of these. */
const EMPTY = 0;

const LEAST_PLACES = 16;
/** Of every empty table. */
const NO_PLACES = new Int32Array(0);

/**
 * Open-addressing table with linear probing. Removal shifts later slots back, so it leaves no tombstones. The table
 * grows in small steps, so few slots are empty.
 */
export class HashRows {
  /** Undefined if each row is its own hash. */
  #hashes: Int32Array | undefined;
  #rows = NO_PLACES;
  #size = 0;

  constructor(hashes: 'others' | 'themselves' = 'others') {
    this.#hashes = hashes === 'themselves' ? undefined : NO_PLACES;
  }

  /** A table in which each row is its own hash: a set of rows. */
  static underThemselves(): HashRows {
    return new HashRows('themselves');
  }

  get size(): number {
    return this.#size;
  }

  /** The row of a hash; undefined for an unused hash. */
  get(hash: number): number | undefined {
    if (this.#size === 0) return undefined;
    const held = this.#rows[this.#locationOf(hash)] as number;
    return held === EMPTY ? undefined : held - 1;
  }

  /** Adds a row under an unused hash. */
  add(hash: number, row: number): void {
    const { length } = this.#rows;
    if ((this.#size + 1) * 4 > length * 3) this.#resize(Math.max(LEAST_PLACES, length + (length >>> 2)));
    this.#put(hash, row + 1);
    this.#size += 1;
  }

  /** Removes the row of a hash, if there is one. */
  remove(hash: number): void {
    if (this.#size === 0) return;
    let hole = this.#locationOf(hash);
    if (this.#rows[hole] === EMPTY) return;
    for (let at = this.#after(hole); this.#rows[at] !== EMPTY; at = this.#after(at)) {
      const moving = this.#hashAt(at);
      const bucketSlot = this.#homeOf(moving);
      // Shift a slot back only if probing from its home slot still finds it.
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

  /** All rows, in no particular order. */
  *rows(): Iterable<number> {
    for (const held of this.#rows) if (held !== EMPTY) yield held - 1;
  }

  /** The slot, or insertion slot, of a hash. */
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

  /** The number of slots from one slot to another, around the ring. */
  #distance(from: number, to: number): number {
    return to >= from ? to - from : to - from + this.#rows.length;
  }

  /** Hashes of texts differ most in their last bits, but the first bits select the slot. */
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
