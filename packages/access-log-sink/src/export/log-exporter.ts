/** Carries entries out, in batches; what cannot be carried out is counted. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AccessLogEntry } from '../entry/access-log-entry.ts';
import type { LogTail } from '../tail/log-tail.ts';

/** A way out. */
export interface LogExporter extends AsyncDisposable {
  /** For logs and metrics: `stdout`, `file`, `otlp`. */
  readonly name: string;
  /** Resolves when the entries are safe on the other side, with how many of them it refused for good. @throws ExportError, or anything, where they are not; it is tried again unless it says not to */
  write(entries: readonly AccessLogEntry[]): Promise<number>;
}

/** What the other side would never take: trying again is no use. */
export class ExportError extends Error {
  readonly retry: boolean;

  constructor(message: string, { retry, cause }: { readonly retry: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.name = 'ExportError';
    this.retry = retry;
  }
}

export interface ExportOptions {
  /** How often a batch is tried in all; 5 by default. Meanwhile the queue fills, and then loses its oldest. */
  readonly attempts?: number;
  /** Milliseconds before the first repetition, doubled each time, at most 30 s; 500 by default. */
  readonly backoff?: number;
  /** Told of each batch that is given up. */
  readonly onDropped?: (error: unknown, entries: number) => void;
  /** From 0 to below 1. */
  readonly random?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/** What became of the entries that met the exporter's query: `delivered + lost + dropped`, and what waits. */
export interface ExportCounts {
  readonly delivered: number;
  /** Fell out of the queue. */
  readonly lost: number;
  /** Were given up. */
  readonly dropped: number;
  readonly retries: number;
  /** In the queue, or being written. */
  readonly waiting: number;
}

/** A running exporter; disposing of it writes what waits, once, and closes the way out. */
export interface RunningExport extends AsyncDisposable {
  readonly name: string;
  readonly counts: ExportCounts;
}

const MAX_PAUSE = 30_000;

/** Reads the tail into the exporter until the tail ends. The tail's capacity is the bound of its queue. */
export function runExport(tail: LogTail, exporter: LogExporter, options: ExportOptions = {}): RunningExport {
  const { attempts = 5, backoff = 500, onDropped, random = Math.random, sleep = pause } = options;
  let [delivered, dropped, retries, writing] = [0, 0, 0, 0];
  let ending = false;
  const ended = new AbortController();
  const rest = (milliseconds: number): Promise<unknown> =>
    Promise.race([
      sleep(milliseconds),
      new Promise((resolve) => ended.signal.addEventListener('abort', resolve, { once: true })),
    ]);

  async function carry(entries: readonly AccessLogEntry[]): Promise<void> {
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
        await rest(Math.min(MAX_PAUSE, backoff * 2 ** (attempt - 1)) * (0.5 + random() / 2));
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
