/** Receives access logs: everything behind the gRPC service, independent of gRPC. */
import { type Attribution, hostOf, type Reporter } from '../attribution/reporter.ts';
import { type CompiledRules, KEEP_ALL } from '../filter/compiled-rules.ts';
import type { LogQuery } from '../query/log-query.ts';
import { type SearchOptions, type SearchResult, searchRing } from '../query/search-ring.ts';
import { LogRing, type RingLimits } from '../ring/log-ring.ts';
import { Audience, type LogObserver } from '../tail/audience.ts';
import { LogTail, type TailOptions } from '../tail/log-tail.ts';
import { Allowance, type AllowanceOptions, DEFAULT_ALLOWANCE } from './allowance.ts';
import { LogStream, type StreamHost } from './log-stream.ts';
import { newCounts, type SinkCounts } from './sink-counts.ts';

export interface SinkOptions {
  readonly attribution: Attribution;
  /** Rules for a reporter's entries; returns the same object until they change. By default everything is retained. */
  readonly rulesFor?: (reporter: Reporter) => CompiledRules;
  readonly ring?: Partial<RingLimits>;
  /** For each source address. */
  readonly allowance?: AllowanceOptions;
  /** Maximum concurrent streams of one source address; 64 by default: Envoy opens one for each log and worker. */
  readonly streamsPerSource?: number;
  readonly observers?: readonly LogObserver[];
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Source {
  readonly allowance: Allowance;
  streams: number;
}

const STREAMS = 64;
/** Number of stored sources above which idle ones are removed. */
const SWEEP = 1024;

/** Counts, filters, stores and queries the access logs of many proxies. */
export class AccessLogSink {
  readonly #options: SinkOptions;
  readonly #host: StreamHost;
  readonly #ring: LogRing;
  readonly #counts = newCounts();
  readonly #audience: Audience;
  readonly #sources = new Map<string, Source>();
  readonly #tails = new Set<LogTail>();
  #sweepAt = SWEEP;

  constructor(options: SinkOptions) {
    const { attribution, rulesFor = () => KEEP_ALL, now = () => performance.now() } = options;
    this.#options = options;
    this.#ring = new LogRing(options.ring);
    this.#audience = new Audience(attribution, options.observers ?? []);
    const [ring, counts, audience] = [this.#ring, this.#counts, this.#audience];
    this.#host = { attribution, rulesFor, now, ring, counts, audience };
  }

  /**
   * Opens a stream from this peer, in the format of grpc-js (`10.0.0.7:41234`). Close it when it has ended.
   * @returns undefined if the source has reached its stream limit
   */
  openStream(peer: string): LogStream | undefined {
    const { allowance = DEFAULT_ALLOWANCE, streamsPerSource = STREAMS } = this.#options;
    const address = hostOf(peer);
    if (!this.#sources.has(address) && this.#sources.size >= this.#sweepAt) this.#forgetIdle();
    const source = this.#sources.get(address) ?? { allowance: new Allowance(allowance, this.#host.now()), streams: 0 };
    if (source.streams >= streamsPerSource) return undefined;
    this.#sources.set(address, source);
    source.streams++;
    this.#counts.streams++;
    return new LogStream(this.#host, address, source.allowance, () => {
      this.#counts.streams--;
      source.streams--;
    });
  }

  /** Searches recent entries that match the query. @throws the signal's reason when it is aborted */
  search(query: LogQuery, options?: SearchOptions): Promise<SearchResult> {
    return searchRing(this.#ring, this.#host.attribution, query, options);
  }

  /** Streams new entries that match the query. Dispose of it when its reader leaves. */
  tail(query: LogQuery, options: TailOptions = {}): LogTail {
    const tail = new LogTail(query, options, (ended) => {
      this.#tails.delete(ended);
      this.#audience.remove(ended);
    });
    this.#tails.add(tail);
    this.#audience.add(tail);
    return tail;
  }

  get counts(): SinkCounts {
    const { dropped, ...counts } = this.#counts;
    return { ...counts, dropped: { ...dropped }, ring: this.#ring.counts };
  }

  /**
   * A source that reconnects gets no new allowance: the sink removes it only once its allowance would be full again
   * anyway.
   */
  #forgetIdle(): void {
    const now = this.#host.now();
    for (const [address, { streams, allowance }] of this.#sources)
      if (streams === 0 && allowance.isFull(now)) this.#sources.delete(address);
    this.#sweepAt = Math.max(SWEEP, 2 * this.#sources.size);
  }

  /** Ends all tails. The ring can still be searched. */
  [Symbol.dispose](): void {
    for (const tail of [...this.#tails]) tail[Symbol.dispose]();
  }
}
