/** This replica's own answers, from what its connected proxies have sent. */
import { type AccessLogSink, DURATION_BOUNDS, type EdgeMetrics, entryJson } from '@meshrelay/access-log-sink';
import type { EdgeTotals, LogBatch, LogSearch, LogTail, TrafficBatch } from '@meshrelay/relay-protocol';
import { logBatches } from './log-batches.ts';
import type { Answer, ObservedMethod, Observer, Query } from './observer.ts';

export interface ReplicaSources {
  readonly sink: Pick<AccessLogSink, 'search' | 'tail' | 'counts'>;
  readonly edges: Pick<EdgeMetrics, 'edges' | 'overflowed'>;
}

/** Counters of answers. */
export interface ObserveCounters {
  sent(entries: number): void;
  /** Entries lost because readers were too slow. */
  lost(entries: number): void;
}

export interface ReplicaObserverOptions {
  readonly replica: string;
  /** Identifies this process: another process starts its counts again. */
  readonly epoch: string;
  readonly sources: ReplicaSources;
  readonly counters: ObserveCounters;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Maximum bytes that one search finds, in wire format. */
const SEARCH_BYTES = 4 * 2 ** 20;
/** Limits of the queue for one reader. */
const TAIL = { capacity: 2_000, bytes: 4 * 2 ** 20 };
/** Edges per reply, at some hundred bytes each. */
const EDGES = 200;

export class ReplicaObserver implements Observer {
  readonly #options: ReplicaObserverOptions;

  constructor(options: ReplicaObserverOptions) {
    this.#options = options;
  }

  ask<M extends ObservedMethod>(method: M, given: Query<M>, signal: AbortSignal): AsyncIterable<Answer<M>> {
    const answer = (): AsyncIterable<LogBatch | TrafficBatch> => {
      switch (method) {
        case 'logs.search':
          return this.#search(given as LogSearch, signal);
        case 'logs.tail':
          return this.#tail(given as LogTail, signal);
        default:
          return this.#edges();
      }
    };
    return answer() as AsyncIterable<Answer<M>>;
  }

  async *#search({ query, limit }: LogSearch, signal: AbortSignal): AsyncGenerator<LogBatch> {
    const { replica, sources } = this.#options;
    const { entries, more } = await sources.sink.search(query, { limit, bytes: SEARCH_BYTES, signal });
    for (const batch of logBatches(entries.map(entryJson))) yield this.#counted(batch);
    yield { entries: [], replicas: [{ replica }], more };
  }

  /** The tail reads the ring as of its start: it sends no entry twice and omits none. */
  async *#tail({ query, history }: LogTail, signal: AbortSignal): AsyncGenerator<LogBatch> {
    const { replica, sources } = this.#options;
    using tail = sources.sink.tail(query, TAIL);
    const before =
      history === 0 ? undefined : sources.sink.search(query, { limit: history, bytes: SEARCH_BYTES, signal });
    // The reader may leave before the result is awaited.
    before?.catch(() => undefined);
    const end = (): void => tail[Symbol.dispose]();
    signal.addEventListener('abort', end, { once: true });
    try {
      const begun = droppedIn(sources.sink);
      let sent = 0;
      yield { entries: [], replicas: [{ replica }] };
      const { entries: past = [] } = (await before) ?? {};
      for (const batch of logBatches(past.map(entryJson))) yield this.#counted(batch);
      for await (const { entries, lost } of tail) {
        for (const batch of logBatches(entries.map(entryJson), lost)) yield this.#counted(batch);
        const dropped = droppedIn(sources.sink) - begun;
        if (dropped !== sent) yield { entries: [], replicas: [{ replica, dropped }] };
        sent = dropped;
      }
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  async *#edges(): AsyncGenerator<TrafficBatch> {
    const { replica, epoch, sources, now } = this.#options;
    const { overflowed } = sources.edges;
    const common = { replica, epoch, at: now(), bounds: DURATION_BOUNDS, overflowed };
    // Copied at one moment, so all replies describe the same time.
    const edges = [...sources.edges.edges()].map(
      ({ source, destination, reporter, responses, durations: { counts, count, sum } }): EdgeTotals => ({
        ...(source === undefined ? {} : { source }),
        ...(destination === undefined ? {} : { destination }),
        reporter,
        responses: Object.fromEntries(responses),
        durations: { counts: [...counts], count, sum },
      }),
    );
    for (let at = 0; at < edges.length; at += EDGES) yield { ...common, edges: edges.slice(at, at + EDGES) };
    yield { ...common, edges: [], replicas: [{ replica }] };
  }

  #counted(batch: LogBatch): LogBatch {
    const { counters } = this.#options;
    counters.sent(batch.entries.length);
    if (batch.lost !== undefined) counters.lost(batch.lost);
    return batch;
  }
}

/** Dropped entries of all proxies. */
function droppedIn({ counts: { dropped } }: Pick<AccessLogSink, 'counts'>): number {
  return dropped.rate + dropped.malformed + dropped.oversized;
}
