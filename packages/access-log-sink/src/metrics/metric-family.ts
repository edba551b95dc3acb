/** What one flush of an Envoy says of one metric. */

/** Names and values of labels, in the order they came. */
export type Labels = ReadonlyArray<readonly [name: string, value: string]>;

/** A value that grows until its process ends, or that goes up and down. */
export interface NumberSample {
  readonly labels: Labels;
  readonly value: number;
}

/** How often values came up to each bound since the flush before. */
export interface HistogramSample {
  readonly labels: Labels;
  readonly count: number;
  readonly sum: number;
  /** Ascending; counts of all values up to the bound. */
  readonly buckets: ReadonlyArray<readonly [bound: number, count: number]>;
}

/** Of Envoy's other kinds, summaries are the same histograms once more, without what is needed to add them up. */
export type MetricFamily =
  | { readonly name: string; readonly kind: 'counter' | 'gauge'; readonly samples: readonly NumberSample[] }
  | { readonly name: string; readonly kind: 'histogram'; readonly samples: readonly HistogramSample[] };
