/** Series by workload, name and labels: limited; samples that exceed the limit are counted. */
import type { WorkloadRef } from '../attribution/reporter.ts';
import type { Labels, MetricFamily } from './metric-family.ts';

/** State of one series, added up over all proxies of a workload. */
export interface Series {
  readonly workload: WorkloadRef | undefined;
  /** Prometheus name: `envoy_cluster_upstream_rq_total`. */
  readonly name: string;
  readonly labels: Labels;
  readonly kind: MetricFamily['kind'];
  /** For counters and gauges. */
  value: number;
  /** For histograms: since the sink started. */
  count: number;
  sum: number;
  /** Ascending upper bounds, and the number of values up to each. */
  readonly bounds: number[];
  readonly counts: number[];
}

export interface SeriesLimits {
  /** Limit for all workloads together. */
  readonly series: number;
  /** Limit per workload, so none can take the room of all others. */
  readonly perWorkload: number;
}

const DEFAULT_SERIES_LIMITS: SeriesLimits = { series: 50_000, perWorkload: 2_000 };

/** An Envoy histogram has 20 bounds; one with more than this is not valid. */
const BOUNDS = 64;

export class SeriesTable {
  readonly #limits: SeriesLimits;
  readonly #series = new Map<string, Series>();
  readonly #byWorkload = new Map<string, number>();
  #overflowed = 0;

  constructor(limits: Partial<SeriesLimits> = {}) {
    this.#limits = { ...DEFAULT_SERIES_LIMITS, ...limits };
  }

  /** Samples that exceed the limits. */
  get overflowed(): number {
    return this.#overflowed;
  }

  get size(): number {
    return this.#series.size;
  }

  [Symbol.iterator](): IterableIterator<Series> {
    return this.#series.values();
  }

  /** Returns the series, and creates it if there is room; otherwise returns undefined and counts the sample. */
  of(workload: WorkloadRef | undefined, name: string, labels: Labels, kind: Series['kind']): Series | undefined {
    const owner = workload === undefined ? '' : JSON.stringify([workload.cluster, workload.namespace, workload.name]);
    const key = JSON.stringify([owner, kind, name, labels]);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const own = this.#byWorkload.get(owner) ?? 0;
    if (this.#series.size >= this.#limits.series || own >= this.#limits.perWorkload) {
      this.#overflowed++;
      return undefined;
    }
    const series: Series = { workload, name, labels, kind, value: 0, count: 0, sum: 0, bounds: [], counts: [] };
    this.#series.set(key, series);
    this.#byWorkload.set(owner, own + 1);
    return series;
  }
}

/**
 * Adds the counts since the last flush. New bounds are adopted in the order of their arrival: Envoys of one version
 * have the same.
 */
export function addHistogram(
  series: Series,
  {
    count,
    sum,
    buckets,
  }: { readonly count: number; readonly sum: number; readonly buckets: ReadonlyArray<readonly [number, number]> },
): void {
  series.count += count;
  if (Number.isFinite(sum)) series.sum += sum;
  if (series.bounds.length === 0) {
    for (const [bound] of buckets.slice(0, BOUNDS)) {
      if (Number.isNaN(bound) || bound === Number.POSITIVE_INFINITY) continue;
      series.bounds.push(bound);
      series.counts.push(0);
    }
  }
  for (const [at, bound] of series.bounds.entries())
    series.counts[at] = (series.counts[at] ?? 0) + countUpTo(buckets, bound);
}

/** The count at another Envoy's largest bound that does not exceed the given one. */
function countUpTo(buckets: ReadonlyArray<readonly [number, number]>, bound: number): number {
  let count = 0;
  for (const [each, cumulative] of buckets) {
    if (each > bound) break;
    count = cumulative;
  }
  return count;
}
