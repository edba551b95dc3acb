/** Exports entries in batches; those that cannot be delivered are counted. */
import { Backoff, type Clock, systemClock } from '@meshrelay/concurrency';
import type { AccessLogEntry } from '../entry/access-log-entry.ts';
import type { LogTail } from '../tail/log-tail.ts';

/** Destination of an export. */
export interface LogExporter extends AsyncDisposable {
  /** Name for logs and metrics: `stdout`, `file`, `otlp`. */
  readonly name: string;
  /**
   * Resolves when the destination has stored the entries, with the number that it rejected permanently. @throws
   * ExportError, or any error, if it has not; the write is retried unless the error forbids it
   */
  write(entries: readonly AccessLogEntry[]): Promise<number>;
}

/** The destination will always reject the batch: a retry cannot succeed. */
export class ExportError extends Error {
  readonly retry: boolean;

  constructor(message: string, { retry, cause }: { readonly retry: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.name = 'ExportError';
    this.retry = retry;
  }
}

export interface ExportOptions {
  /** Maximum attempts per batch; 5 by default. Meanwhile the queue fills, and then drops its oldest entries. */
  readonly attempts?: number;
  /** Milliseconds before the first retry, doubled each time, at most 30 s; 500 by default. */
  readonly backoff?: number;
  /** Called for each batch that is dropped. */
  readonly onDropped?: (error: unknown, entries: number) => void;
  /** Returns a number in [0, 1). */
  readonly random?: () => number;
  readonly sleep?: Clock['sleep'];
}

/** Results for entries that match the exporter's query: `delivered + lost + dropped`, and those waiting. */
export interface ExportCounts {
  readonly delivered: number;
  /** Dropped from the full queue. */
  readonly lost: number;
  /** Dropped after failed attempts. */
  readonly dropped: number;
  readonly retries: number;
  /** In the queue, or being written. */
  readonly waiting: number;
}

/** A running exporter. Disposal writes the waiting entries, once, and closes the destination. */
export interface RunningExport extends AsyncDisposable {
  readonly name: string;
  readonly counts: ExportCounts;
}

const MAX_PAUSE = 30_000;

/** Reads the tail into the exporter until the tail ends. The tail's capacity limits its queue. */
export function runExport(tail: LogTail, exporter: LogExporter, options: ExportOptions = {}): RunningExport {
  const { attempts = 5, backoff: first = 500, onDropped, random = Math.random, sleep = systemClock.sleep } = options;
  let [delivered, dropped, retries, writing] = [0, 0, 0, 0];
  let ending = false;
  const ended = new AbortController();

  async function carry(entries: readonly AccessLogEntry[]): Promise<void> {
    const pauses = new Backoff({ first, longest: MAX_PAUSE, random });
    for (let attempt = 1; ; attempt++) {
      try {
        const refused = await exporter.write(entries);
        delivered += entries.length - refused;
        dropped += refused;
        return;
      } catch (error) {
        const hopeless = error instanceof ExportError && !error.retry;
        if (hopeless || ending || attempt >= attempts) {
          dropped += entries.length;
          onDropped?.(error, entries.length);
          return;
        }
        retries++;
        await sleep(pauses.next(), ended.signal);
      }
    }
  }

  const done = (async () => {
    for (let batch = await tail.next(); batch !== undefined; batch = await tail.next()) {
      writing = batch.entries.length;
      await carry(batch.entries);
      writing = 0;
    }
  })();

  return {
    name: exporter.name,
    get counts() {
      const { lost, waiting } = tail.counts;
      return { delivered, lost, dropped, retries, waiting: waiting + writing };
    },
    async [Symbol.asyncDispose]() {
      ending = true;
      ended.abort();
      tail[Symbol.dispose]();
      await done;
      await exporter[Symbol.asyncDispose]();
    },
  };
}
