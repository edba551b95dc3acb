/** This replica's own answers, from what the proxies that are connected to it have sent. */
import { type AccessLogSink, DURATION_BOUNDS, type EdgeMetrics, entryJson } from '@meshrelay/access-log-sink';
import type { EdgeTotals, LogBatch, LogSearch, LogTail, TrafficBatch } from '@meshrelay/relay-protocol';
import { logBatches } from './log-batches.ts';
import type { Answer, ObservedMethod, Observer, Query } from './observer.ts';

export interface ReplicaSources {
  readonly sink: Pick<AccessLogSink, 'search' | 'tail' | 'counts'>;
  readonly edges: Pick<EdgeMetrics, 'edges' | 'overflowed'>;
}

/** What is counted of answers. */
export interface ObserveCounters {
  sent(entries: number): void;
  /** Readers were too slow for these. */
  lost(entries: number): void;
}

export interface ReplicaObserverOptions {
  readonly replica: string;
  /** Of this process: another one counts anew. */
  readonly epoch: string;
  readonly sources: ReplicaSources;
  readonly counters: ObserveCounters;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Bytes, as they came from the wire, of what one search finds at most. */
const SEARCH_BYTES = 4 * 2 ** 20;
/** What waits for one reader. */
const TAIL = { capacity: 2_000, bytes: 4 * 2 ** 20 };
/** Edges of one reply: some hundred bytes each. */
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

  /** The ring is looked through as it is when the tail begins: nothing is told twice, nothing left out. */
  async *#tail({ query, history }: LogTail, signal: AbortSignal): AsyncGenerator<LogBatch> {
    const { replica, sources } = this.#options;
    using tail = sources.sink.tail(query, TAIL);
    const before =
      history === 0 ? undefined : sources.sink.search(query, { limit: history, bytes: SEARCH_BYTES, signal });
    // The reader may go while nobody waits for it.
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
    // Copied at one moment: what is told in several replies is of the same time.
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

/** What was not taken, of all proxies. */
function droppedIn({ counts: { dropped } }: Pick<AccessLogSink, 'counts'>): number {
  return dropped.rate + dropped.malformed + dropped.oversized;
}
