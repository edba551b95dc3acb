/** Live entries for one reader; a slow reader loses some and receives their number. */
import type { AccessLogEntry } from '../entry/access-log-entry.ts';
import type { FieldName } from '../entry/access-log-fields.ts';
import { type CompiledQuery, compileQuery, type LogQuery } from '../query/log-query.ts';

export interface TailOptions {
  /** Fields to show; all by default. */
  readonly fields?: readonly FieldName[];
  /** Maximum entries that wait for the reader; 1,000 by default. */
  readonly capacity?: number;
  /** Maximum bytes of waiting entries in wire format; 8 MiB by default. */
  readonly bytes?: number;
}

/** Entries since the last batch. */
export interface TailBatch {
  /** In the order of arrival. */
  readonly entries: readonly AccessLogEntry[];
  /** Entries before these that were lost because the reader was too slow. */
  readonly lost: number;
}

/** Maximum entries of one batch. */
const BATCH = 500;
const BYTES = 8 * 2 ** 20;

/** A waiting entry and its size on the wire. */
interface Waiting {
  readonly entry: AccessLogEntry;
  readonly bytes: number;
}

/** One reader's queue. It keeps the newest entries, because a live log shows current events. */
export class LogTail implements AsyncIterable<TailBatch>, Disposable {
  readonly query: CompiledQuery;
  readonly fields: readonly FieldName[] | undefined;
  readonly #capacity: number;
  readonly #ended: (tail: LogTail) => void;
  /** A ring: `#first` is the oldest of `#count`. */
  readonly #waiting: (Waiting | undefined)[];
  readonly #maxBytes: number;
  #first = 0;
  #count = 0;
  #bytes = 0;
  #lost = 0;
  #lostInAll = 0;
  #delivered = 0;
  #wake: (() => void) | undefined;
  #over = false;

  constructor(
    query: LogQuery,
    { fields, capacity = 1000, bytes = BYTES }: TailOptions,
    ended: (tail: LogTail) => void,
  ) {
    this.query = compileQuery(query);
    this.fields = fields;
    this.#capacity = capacity;
    this.#maxBytes = bytes;
    this.#waiting = new Array<Waiting | undefined>(capacity).fill(undefined);
    this.#ended = ended;
  }

  /** Entries delivered, lost and waiting: together all that matched the query. */
  get counts(): { readonly delivered: number; readonly lost: number; readonly waiting: number } {
    return { delivered: this.#delivered, lost: this.#lostInAll, waiting: this.#count };
  }

  /** Adds an entry that matches the query, with its size on the wire. Never waits. */
  offer(entry: AccessLogEntry, bytes = 0): void {
    if (this.#over) return;
    while (this.#count === this.#capacity || (this.#count > 0 && this.#bytes + bytes > this.#maxBytes)) {
      this.#shift();
      this.#lost++;
      this.#lostInAll++;
    }
    this.#waiting[(this.#first + this.#count++) % this.#capacity] = { entry, bytes };
    this.#bytes += bytes;
    this.#wake?.();
  }

  /** Waits for entries. @returns undefined when the tail has ended and no entry is left */
  async next(): Promise<TailBatch | undefined> {
    while (this.#count === 0 && !this.#over) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
      this.#wake = undefined;
    }
    return this.#count === 0 ? undefined : this.#take();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TailBatch> {
    try {
      for (let batch = await this.next(); batch !== undefined; batch = await this.next()) yield batch;
    } finally {
      this[Symbol.dispose]();
    }
  }

  /** Accepts no more entries; waiting ones can still be read. */
  [Symbol.dispose](): void {
    if (this.#over) return;
    this.#over = true;
    this.#ended(this);
    this.#wake?.();
  }

  #take(): TailBatch {
    const entries: AccessLogEntry[] = [];
    while (this.#count > 0 && entries.length < BATCH) entries.push(this.#shift().entry);
    const lost = this.#lost;
    this.#lost = 0;
    this.#delivered += entries.length;
    return { entries, lost };
  }

  /** Removes the oldest. */
  #shift(): Waiting {
    const oldest = this.#waiting[this.#first] as Waiting;
    this.#waiting[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#capacity;
    this.#count--;
    this.#bytes -= oldest.bytes;
    return oldest;
  }
}
