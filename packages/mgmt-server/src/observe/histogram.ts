/**
 * Histograms of durations: cumulative counts per bound can be added. Quantiles are computed from the sum, never added.
 */

export interface Histogram {
  /** Milliseconds, ascending. */
  readonly bounds: readonly number[];
  /** Cumulative: all values up to each bound. */
  readonly counts: readonly number[];
  readonly count: number;
}

/**
 * The sum of two. If their bounds differ, the result has those of the first, and counts between two of them go to the
 * higher bound.
 */
export function sumOf(one: Histogram, other: Histogram): Histogram {
  const sameBounds = one.bounds === other.bounds || one.bounds.join() === other.bounds.join();
  const at = (index: number): number => {
    if (sameBounds) return other.counts[index] ?? 0;
    const bound = one.bounds[index] ?? 0;
    const last = other.bounds.findLastIndex((each) => each <= bound);
    return last < 0 ? 0 : (other.counts[last] ?? 0);
  };
  return {
    bounds: one.bounds,
    counts: one.bounds.map((_, index) => (one.counts[index] ?? 0) + at(index)),
    count: one.count + other.count,
  };
}

/** Counts added between two samples of a cumulative histogram. */
export function growth(before: Histogram | undefined, after: Histogram): Histogram {
  if (before === undefined) return after;
  return {
    bounds: after.bounds,
    counts: after.counts.map((count, at) => Math.max(0, count - (before.counts[at] ?? 0))),
    count: Math.max(0, after.count - before.count),
  };
}

/**
 * The quantile `share` in milliseconds, interpolated linearly between the bounds.
 * undefined if the histogram is empty; the highest bound if the quantile is above it.
 */
export function quantileOf({ bounds, counts, count }: Histogram, share: number): number | undefined {
  if (count === 0) return undefined;
  const rank = share * count;
  const at = counts.findIndex((upTo) => upTo >= rank);
  if (at < 0) return bounds.at(-1);
  const [below, from] = at === 0 ? [0, 0] : [counts[at - 1] ?? 0, bounds[at - 1] ?? 0];
  const [within, to] = [(counts[at] ?? 0) - below, bounds[at] ?? 0];
  return within === 0 ? to : from + ((rank - below) / within) * (to - from);
}
