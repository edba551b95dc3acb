/** Receives Envoys' own metrics: everything behind the gRPC service, and nothing of gRPC. */
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
  /** Which of Envoy's names are kept; `DEFAULT_METRICS` when omitted. */
  readonly keep?: (name: string) => boolean;
  /** Streams of one source address at once; 8 by default: Envoy opens one. */
  readonly streamsPerSource?: number;
}

/** What became of what was received. */
export interface MetricsCounts {
  readonly streams: number;
  readonly messages: number;
  readonly brokenMessages: number;
  readonly series: number;
  /** Samples that found no room. */
  readonly overflowed: number;
}

/** Requests and connections: names, with Envoy's tags taken out or still in them. */
const RETAINED =
  /^(?:cluster\.(?:.+\.)?(?:upstream_rq|upstream_cx|membership)|http\.(?:.+\.)?downstream_(?:rq|cx)|tcp\.|server\.(?:live|uptime|memory_))/;

/** The metrics kept by default: of requests and connections on both sides, of members of clusters, of the process. */
export const DEFAULT_METRICS = (name: string): boolean => RETAINED.test(name);

/**
 * Values of all proxies of a workload are added up. Counters come as totals since their Envoy started: what they grew by since the stream began is
 * added, and one that is smaller than before began anew. Histograms come as what was counted since the last flush. Gauges count as long as their stream is open.
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

  /** A stream from this peer. @returns undefined where the source has as many streams as it may */
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

  /** All series, as they are now. */
  series(): Iterable<Readonly<Series>> {
    return this.#table;
  }

  get counts(): MetricsCounts {
    return { ...this.#counts, series: this.#table.size, overflowed: this.#table.overflowed };
  }
}

/** One proxy's part in the series of its workload. */
class Proxied {
  readonly #table: SeriesTable;
  /** What it said last. */
  readonly #last = new Map<Series, number>();
  /** Whether the first flush is over, which may have several messages. */
  #settled = false;

  constructor(table: SeriesTable) {
    this.#table = table;
  }

  /** One message. */
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
    // Everything that was ever used comes with each flush: what comes again is the next flush.
    this.#settled ||= numbers.some(([series]) => this.#last.has(series));
    for (const [series, value] of numbers) this.#number(series, value);
  }

  /** Its gauges count no more. */
  close(): void {
    for (const [series, value] of this.#last) if (series.kind === 'gauge') series.value -= value;
    this.#last.clear();
  }

  #number(series: Series, value: number): void {
    const counter = series.kind === 'counter';
    if (!Number.isFinite(value) || (counter && value < 0)) return;
    // The total a stream begins with may have been counted before: by a stream that broke off, or by another replica of the sink.
    // One that comes for the first time in a later flush was not used until then, and began at 0.
    const last = this.#last.get(series) ?? (counter && !this.#settled ? value : 0);
    this.#last.set(series, value);
    series.value += counter && value < last ? value : value - last;
  }
}
