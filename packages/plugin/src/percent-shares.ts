/** Percentages for APIs that do not accept relative weights. */

/**
 * The percentage of each of `weights`: whole numbers that sum to 100, by largest remainder. None is more than one
 * percent off, a larger weight never gets less, and a weight of 0 gets 0.
 * @param weights whole numbers of at least 0, one of them above 0
 */
export function percentShares(weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const shares = weights.map((weight) => Math.floor((weight * 100) / sum));
  const left = 100 - shares.reduce((total, share) => total + share, 0);
  const remainders = weights.map((weight, position) => ({ position, remainder: (weight * 100) % sum }));
  // Of equal remainders the earlier has precedence.
  remainders.sort((a, b) => b.remainder - a.remainder);
  for (const { position } of remainders.slice(0, left)) shares[position] = (shares[position] ?? 0) + 1;
  return shares;
}
