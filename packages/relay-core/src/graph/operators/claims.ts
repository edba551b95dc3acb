/** Claims of items on output keys. Several items may claim one key for a while; the winner is deterministic. */
import type { Key } from '@meshrelay/plugin';

/** One item's value for one output key. */
export interface Claim<Out> {
  readonly item: Key;
  value: Out;
}

const NONE: readonly never[] = Object.freeze([]);

/** The lowest item key wins, so the winner does not depend on the order of arrival. */
export class Claims<Out> {
  /** A single claim is stored bare, as nearly all are; several claims are a list sorted by item key. */
  readonly #claims = new Map<Key, Claim<Out> | Claim<Out>[]>();
  #contested = 0;

  /** The number of output keys that more than one item claims. */
  get contested(): number {
    return this.#contested;
  }

  /** The winning claim on an output key. */
  winner(output: Key): Claim<Out> | undefined {
    const claims = this.#claims.get(output);
    return Array.isArray(claims) ? claims[0] : claims;
  }

  /** The losing claims, ordered by item key. */
  losers(output: Key): readonly Claim<Out>[] {
    const claims = this.#claims.get(output);
    return Array.isArray(claims) ? claims.slice(1) : NONE;
  }

  of(output: Key, item: Key): Claim<Out> | undefined {
    const claims = this.#claims.get(output);
    const claim = Array.isArray(claims) ? claims[positionOf(claims, item)] : claims;
    return claim?.item === item ? claim : undefined;
  }

  /** Adds the claim of an item that has no claim on this key yet. */
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

  /** Removes an item's claim on this key. */
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
