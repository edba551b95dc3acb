/** Random numbers that are the same on every machine for the same seed. */

export interface Random {
  /** An integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number;
  /** One item of a non-empty list. */
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32: 32 bits of state, enough for a fleet. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return { between, pick: (list) => list[between(0, list.length - 1)] as (typeof list)[number] };
}
