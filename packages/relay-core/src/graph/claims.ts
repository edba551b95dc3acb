/** Who gives which output key: several items may for a while, one of them wins, and it is always the same one. */
import type { Key } from './key.ts';

/** One item's value for one output key. */
export interface Claim<Out> {
  readonly item: Key;
  value: Out;
}

const NONE: readonly never[] = Object.freeze([]);

/** The winner is the lowest item key, so that who wins does not depend on who came first. */
export class Claims<Out> {
  /** A key that only one item claims, as nearly all are, has its claim here bare; else sorted by item key. */
  readonly #claims = new Map<Key, Claim<Out> | Claim<Out>[]>();
  #contested = 0;

  /** How many output keys more than one item claims. */
  get contested(): number {
    return this.#contested;
  }

  /** The claim that wins the output key. */
  winner(output: Key): Claim<Out> | undefined {
    const claims = this.#claims.get(output);
    return Array.isArray(claims) ? claims[0] : claims;
  }

  /** The claims that lose, in the order of their items' keys. */
  losers(output: Key): readonly Claim<Out>[] {
    const claims = this.#claims.get(output);
    return Array.isArray(claims) ? claims.slice(1) : NONE;
  }

  of(output: Key, item: Key): Claim<Out> | undefined {
    const claims = this.#claims.get(output);
    const claim = Array.isArray(claims) ? claims[positionOf(claims, item)] : claims;
    return claim?.item === item ? claim : undefined;
  }

  /** Adds the claim of an item that has none on this key. */
  add(output: Key, item: Key, value: Out): void {
    const claims = this.#claims.get(output);
    const claim = { item, value };
    if (claims === undefined) this.#claims.set(output, claim);
    else if (Array.isArray(claims)) claims.splice(positionOf(claims, item), 0, claim);
    else {
      this.#claims.set(output, item < claims.item ? [claim, claims] : [claims, claim]);
      this.#contested += 1;
    }
  }

  /** Removes the claim an item has on this key. */
  remove(output: Key, item: Key): void {
    const claims = this.#claims.get(output);
    if (!Array.isArray(claims)) {
      this.#claims.delete(output);
      return;
    }
    claims.splice(positionOf(claims, item), 1);
    if (claims.length > 1) return;
    this.#claims.set(output, claims[0] as Claim<Out>);
    this.#contested -= 1;
  }

  get size(): number {
    return this.#claims.size;
  }
}

function positionOf(claims: ReadonlyArray<Claim<unknown>>, item: Key): number {
  let low = 0;
  let high = claims.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((claims[middle] as Claim<unknown>).item < item) low = middle + 1;
    else high = middle;
  }
  return low;
}
