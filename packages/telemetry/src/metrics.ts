/** Counters, gauges and histograms in a separate registry, with a limit on the series of each metric. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Values of a metric's labels. Never a user's free text: an object's name belongs into a log field, not a label. */
export type Labels<L extends string> = Readonly<Record<L, string>>;

/** Description of a metric. */
export interface MetricOptions<L extends string> {
  /** Without the prefix; snake case, ending in the unit (`_seconds`, `_bytes`) and, for counters, `_total`. */
  readonly name: string;
  /** One sentence for readers of the scrape. */
  readonly help: string;
  readonly labels?: readonly L[];
  /** Maximum number of label combinations; further ones are counted under `other`. 200 by default. */
  readonly maxSeries?: number;
}

/** Description of a counter. */
export interface CounterOptions<L extends string> extends MetricOptions<L> {
  /**
   * Returns all totals at each scrape, for a counter that other code maintains. Totals do not decrease while the
   * program runs.
   */
  readonly read?: () => Iterable<readonly [total: number, ...labels: With<L>]>;
}

/** Description of a histogram. */
export interface HistogramOptions<L extends string> extends MetricOptions<L> {
  /** Upper bounds, ascending; 5 ms to 60 s by default. */
  readonly buckets?: readonly number[];
}

/** Description of a gauge. */
export interface GaugeOptions<L extends string> extends MetricOptions<L> {
  /**
   * Returns the value at each scrape, for a value that other code stores. With labels it returns all series; omitted
   * ones are removed.
   */
  readonly read?: () => number | Iterable<readonly [value: number, ...labels: With<L>]>;
}

type With<L extends string> = [L] extends [never] ? [] : [labels: Labels<L>];

export interface CounterMetric<L extends string> {
  inc(...labels: With<L>): void;
  /** Adds `amount`, which must not be negative. */
  add(amount: number, ...labels: With<L>): void;
}

/** A value that goes up and down. */
export interface GaugeMetric<L extends string> {
  set(value: number, ...labels: With<L>): void;
  /** Removes a series whose subject is gone. */
  remove(...labels: With<L>): void;
}

/** Distribution of values. */
export interface HistogramMetric<L extends string> {
  observe(value: number, ...labels: With<L>): void;
}

export interface Metrics {
  counter<L extends string = never>(options: CounterOptions<L>): CounterMetric<L>;
  gauge<L extends string = never>(options: GaugeOptions<L>): GaugeMetric<L>;
  histogram<L extends string = never>(options: HistogramOptions<L>): HistogramMetric<L>;
  /** All metrics in Prometheus' text format. Calls that overlap share one result. */
  text(): Promise<string>;
  /** The media type of `text()`. */
  readonly contentType: string;
}

export interface MetricsOptions {
  /** Prefix of every name; `meshrelay_` by default. */
  readonly prefix?: string;
  /** Adds metrics of the runtime: event loop lag, garbage collection, memory, descriptors. Off by default. */
  readonly runtime?: boolean;
}

const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Creates a new registry; no global one exists. */
export function createMetrics({ prefix = 'meshrelay_', runtime = false }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  if (runtime) collectDefaultMetrics({ register: registry });
  const overflow = new Counter({
    name: `${prefix}metric_series_overflow_total`,
    help: 'Number of samples counted under "other", because their metric has the maximum number of series.',
    labelNames: ['metric'],
    registers: [registry],
  });
  const described = <L extends string>({ name, help, labels = [] }: MetricOptions<L>) => ({
    name: prefix + name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  const limited = <L extends string>(options: MetricOptions<L>): SeriesLimit<L> =>
    new SeriesLimit(options, () => overflow.inc({ metric: prefix + options.name }));
  let scrape: Promise<string> | undefined;

  return {
    counter(options) {
      const { read } = options;
      const series = limited(options);
      const metric = new Counter({
        ...described(options),
        ...(read !== undefined && {
          collect(this: Counter) {
            this.reset();
            for (const [total, ...labels] of read()) this.inc(series.admit(labels[0]), total);
          },
        }),
      });
      return {
        inc: (...labels) => metric.inc(series.admit(labels[0]), 1),
        add: (amount, ...labels) => metric.inc(series.admit(labels[0]), amount),
      };
    },
    gauge(options) {
      const { read } = options;
      const series = limited(options);
      const metric = new Gauge({
        ...described(options),
        ...(read !== undefined && {
          collect(this: Gauge) {
            const reported = read();
            if (typeof reported === 'number') this.set(reported);
            else {
              this.reset();
              for (const [value, ...labels] of reported) this.set(series.admit(labels[0]), value);
            }
          },
        }),
      });
      return {
        set: (value, ...labels) => metric.set(series.admit(labels[0]), value),
        remove: (...labels) => {
          if (series.forget(labels[0])) metric.remove(labels[0] ?? {});
        },
      };
    },
    histogram(options) {
      const metric = new Histogram({ ...described(options), buckets: [...(options.buckets ?? defaultBuckets)] });
      const series = limited(options);
      return { observe: (value, ...labels) => metric.observe(series.admit(labels[0]), value) };
    },
    text() {
      scrape ??= registry.metrics().finally(() => {
        scrape = undefined;
      });
      return scrape;
    },
    contentType: registry.contentType,
  };
}

/** Tracks a metric's series and counts those above its limit under one named `other`. */
class SeriesLimit<L extends string> {
  readonly #known = new Set<string>();
  readonly #labels: readonly L[];
  readonly #max: number;
  readonly #other: Labels<L>;
  readonly #overflowed: () => void;

  constructor({ labels = [], maxSeries = 200 }: MetricOptions<L>, overflowed: () => void) {
    this.#labels = labels;
    this.#max = maxSeries;
    this.#other = Object.fromEntries(labels.map((label) => [label, 'other'])) as Labels<L>;
    this.#overflowed = overflowed;
  }

  /** The labels to count under. */
  admit(labels: Labels<L> | undefined): Labels<L> {
    if (labels === undefined) return {} as Labels<L>;
    const id = this.#id(labels);
    if (this.#known.has(id)) return labels;
    if (this.#known.size >= this.#max) {
      this.#overflowed();
      return this.#other;
    }
    this.#known.add(id);
    return labels;
  }

  /** Whether the series had its own slot, which is free now. */
  forget(labels: Labels<L> | undefined): boolean {
    return labels === undefined || this.#known.delete(this.#id(labels));
  }

  #id(labels: Labels<L>): string {
    return JSON.stringify(this.#labels.map((label) => labels[label]));
  }
}
