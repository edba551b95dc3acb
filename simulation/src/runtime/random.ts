/** Pseudo-random numbers, reproducible by seed. */

/** A number in [0, 1). */
export type Random = () => number;

/**
 * A separate stream for each text, so that removing one operation from a schedule leaves the numbers of the others
 * unchanged.
 * sfc32, seeded by a hash of the text.
 */
export function randomOf(seed: string): Random {
  let a = fnv1a(seed, 0x811c9dc5);
  let b = fnv1a(seed, 0x9e3779b9);
  let c = fnv1a(seed, 0x85ebca6b);
  let count = 1;
  const next = (): number => {
    const sum = (a + b + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 0x100000000;
  };
  for (let turn = 0; turn < 12; turn++) next();
  return next;
}

/** An integer from `low` (inclusive) to `high` (exclusive). */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low));
}

/** One of the items; the list is not empty. */
export function oneOf<T>(random: Random, items: readonly T[]): T {
  return items[between(random, 0, items.length)] as T;
}

function fnv1a(text: string, basis: number): number {
  let hash = basis;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
