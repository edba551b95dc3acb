/** Receives Envoys' own metrics: everything behind the gRPC service, independent of gRPC. */
import type { Buffer } from 'node:buffer';
import { type Attribution, hostOf, type WorkloadRef } from '../attribution/reporter.ts';
import { WireError } from '../wire/wire-error.ts';
import type { HistogramSample, MetricFamily, NumberSample } from './metric-family.ts';
import { decodeMetrics } from './metrics-decoder.ts';
import { labelNames, metricName } from './prometheus-names.ts';
import { addHistogram, type Series, type SeriesLimits, SeriesTable } from './series-table.ts';

export interface MetricsSinkOptions {
  readonly attribution: Attribution;
  readonly limits?: Partial<SeriesLimits>;
  /** Selects Envoy's names to retain; `DEFAULT_METRICS` by default. */
  readonly keep?: (name: string) => boolean;
  /** Maximum concurrent streams of one source address; 8 by default: Envoy opens one. */
  readonly streamsPerSource?: number;
}

/** Counts of received messages and their results. */
export interface MetricsCounts {
  readonly streams: number;
  readonly messages: number;
  readonly brokenMessages: number;
  readonly series: number;
  /** Samples that exceed the series limits. */
  readonly overflowed: number;
}

/** Requests and connections: names with Envoy's tags extracted or still included. */
const RETAINED =
  /^(?:cluster\.(?:.+\.)?(?:upstream_rq|upstream_cx|membership)|http\.(?:.+\.)?downstream_(?:rq|cx)|tcp\.|server\.(?:live|uptime|memory_))/;

/** Metrics retained by default: of requests and connections on both sides, of cluster members, and of the process. */
export const DEFAULT_METRICS = (name: string): boolean => RETAINED.test(name);

/**
 * Adds up the values of all proxies of a workload. Counters arrive as totals since their Envoy started. The sink adds
 * their growth since the stream began; a smaller value means a restart. Histograms arrive as counts since the last
 * flush. Gauges count as long as their stream is open.
 */
export class MetricsSink {
  readonly #options: MetricsSinkOptions;
  readonly #table: SeriesTable;
  readonly #streams = new Map<string, number>();
  #counts = { streams: 0, messages: 0, brokenMessages: 0 };

  constructor(options: MetricsSinkOptions) {
    this.#options = options;
    this.#table = new SeriesTable(options.limits);
  }

  /** Opens a stream from this peer. @returns undefined if the source has reached its stream limit */
  openStream(peer: string): { take(bytes: Buffer): void; close(): void } | undefined {
    const { attribution, keep = DEFAULT_METRICS, streamsPerSource = 8 } = this.#options;
    const address = hostOf(peer);
    const open = this.#streams.get(address) ?? 0;
    if (open >= streamsPerSource) return undefined;
    this.#streams.set(address, open + 1);
    this.#counts.streams++;
    const proxy = new Proxied(this.#table);
    let closed = false;
    return {
      take: (bytes) => {
        this.#counts.messages++;
        const families: MetricFamily[] = [];
        try {
          decodeMetrics(bytes, {
            identifier: () => undefined,
            requests: keep,
            family: (family) => families.push(family),
          });
        } catch (error) {
          if (error instanceof WireError) this.#counts.brokenMessages++;
          throw error;
        } finally {
          proxy.take(families, attribution.workloadAt(address));
        }
      },
      close: () => {
        if (closed) return;
        closed = true;
        proxy.close();
        this.#counts.streams--;
        const left = (this.#streams.get(address) ?? 1) - 1;
        if (left === 0) this.#streams.delete(address);
        else this.#streams.set(address, left);
      },
    };
  }

  /** Current state of all series. */
  series(): Iterable<Readonly<Series>> {
    return this.#table;
  }

  get counts(): MetricsCounts {
    return { ...this.#counts, series: this.#table.size, overflowed: this.#table.overflowed };
  }
}

/** Contribution of one proxy to the series of its workload. */
class Proxied {
  readonly #table: SeriesTable;
  /** Its last values. */
  readonly #last = new Map<Series, number>();
  /** Whether the first flush, which may have several messages, is complete. */
  #settled = false;

  constructor(table: SeriesTable) {
    this.#table = table;
  }

  /** Ingests one message. */
  take(families: readonly MetricFamily[], workload: WorkloadRef | undefined): void {
    const numbers: [Series, number][] = [];
    for (const family of families) {
      const name = metricName(family.name);
      for (const sample of family.samples) {
        const series = this.#table.of(workload, name, labelNames(sample.labels), family.kind);
        if (series === undefined) continue;
        if (family.kind === 'histogram') addHistogram(series, sample as HistogramSample);
        else numbers.push([series, (sample as NumberSample).value]);
      }
    }
    // Each flush contains everything that was ever used: a repeated series starts the next flush.
    this.#settled ||= numbers.some(([series]) => this.#last.has(series));
    for (const [series, value] of numbers) this.#number(series, value);
  }

  /** Its gauges no longer count. */
  close(): void {
    for (const [series, value] of this.#last) if (series.kind === 'gauge') series.value -= value;
    this.#last.clear();
  }

  #number(series: Series, value: number): void {
    const counter = series.kind === 'counter';
    if (!Number.isFinite(value) || (counter && value < 0)) return;
    // A stream's first total may have been counted before: by a broken stream, or by another replica of the sink. A
    // counter that first appears in a later flush was unused until then and started at 0.
    const last = this.#last.get(series) ?? (counter && !this.#settled ? value : 0);
    this.#last.set(series, value);
    series.value += counter && value < last ? value : value - last;
  }
}
