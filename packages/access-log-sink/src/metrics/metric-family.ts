/** One metric in one flush of an Envoy. */

/** Names and values of labels, in their original order. */
export type Labels = ReadonlyArray<readonly [name: string, value: string]>;

/** A value that grows until its process ends, or that goes up and down. */
export interface NumberSample {
  readonly labels: Labels;
  readonly value: number;
}

/** Counts of values up to each bound since the previous flush. */
export interface HistogramSample {
  readonly labels: Labels;
  readonly count: number;
  readonly sum: number;
  /** Ascending; counts of all values up to the bound. */
  readonly buckets: ReadonlyArray<readonly [bound: number, count: number]>;
}

/** Envoy's other kind, summaries, repeats the same histograms without the data needed to add them up. */
export type MetricFamily =
  | { readonly name: string; readonly kind: 'counter' | 'gauge'; readonly samples: readonly NumberSample[] }
  | { readonly name: string; readonly kind: 'histogram'; readonly samples: readonly HistogramSample[] };
