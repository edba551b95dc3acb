/** Request durations: counts below fixed bounds, which can be added up over proxies, replicas and clusters. */

/** Upper bounds in milliseconds. */
export const DURATION_BOUNDS: readonly number[] = [
  1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
];

export interface Durations {
  /** Cumulative counts up to each bound. */
  readonly counts: number[];
  count: number;
  /** Milliseconds. */
  sum: number;
}

export function newDurations(): Durations {
  return { counts: DURATION_BOUNDS.map(() => 0), count: 0, sum: 0 };
}

export function addDuration(to: Durations, milliseconds: number): void {
  to.count++;
  to.sum += milliseconds;
  for (let at = DURATION_BOUNDS.length - 1; at >= 0 && milliseconds <= (DURATION_BOUNDS[at] as number); at--)
    to.counts[at] = (to.counts[at] ?? 0) + 1;
}

/**
 * Quantile: the duration in milliseconds that the fraction `share` of all requests does not exceed, interpolated
 * linearly between the bounds. Returns undefined without requests, and the highest bound if the quantile is above it.
 */
export function durationQuantile({ counts, count }: Readonly<Durations>, share: number): number | undefined {
  if (count === 0) return undefined;
  const rank = share * count;
  const at = counts.findIndex((upTo) => upTo >= rank);
  if (at < 0) return DURATION_BOUNDS.at(-1);
  const [below, from] = at === 0 ? [0, 0] : [counts[at - 1] as number, DURATION_BOUNDS[at - 1] as number];
  const [within, to] = [(counts[at] as number) - below, DURATION_BOUNDS[at] as number];
  return within === 0 ? to : from + ((rank - below) / within) * (to - from);
}
