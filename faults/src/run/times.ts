/** Summaries of times. */

/** The median and the maximum of some times. */
export function summary(times: readonly number[]): { readonly p50: number; readonly max: number } {
  const sorted = times.toSorted((one, other) => one - other);
  return { p50: sorted[(sorted.length - 1) >> 1] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** `1.2 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
