/** Pseudorandom orders that are the same in every run. */

/** A copy of the list in another order; the same seed gives the same order. */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const result = [...list];
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  for (let last = result.length - 1; last > 0; last -= 1) {
    // xorshift32
    state ^= (state << 13) >>> 0;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    const other = state % (last + 1);
    const moved = result[last] as T;
    result[last] = result[other] as T;
    result[other] = moved;
  }
  return result;
}
