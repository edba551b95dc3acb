/** Searches the ring for entries that match a query, without delaying incoming ones. */
import { setImmediate } from 'node:timers/promises';
import type { Attribution } from '../attribution/reporter.ts';
import { AlsDecoder } from '../codec/als-decoder.ts';
import { type Projection, projectionOf } from '../codec/projection.ts';
import { shownFields } from '../codec/shown-fields.ts';
import { type AccessLogEntry, relate } from '../entry/access-log-entry.ts';
import type { FieldName } from '../entry/access-log-fields.ts';
import type { LogRing } from '../ring/log-ring.ts';
import type { Page } from '../ring/page.ts';
import { WireError } from '../wire/wire-error.ts';
import { type CompiledQuery, compileQuery, type LogQuery } from './log-query.ts';

/** Limits and fields of the answer. */
export interface SearchOptions {
  /** Maximum entries: the newest that match the query. 1,000 by default. */
  readonly limit?: number;
  /** Maximum bytes of entries in wire format: the newest that match the query. 64 MiB by default. */
  readonly bytes?: number;
  /** The fields to show; all by default. */
  readonly fields?: readonly FieldName[];
  /** Ends the search. */
  readonly signal?: AbortSignal;
}

export interface SearchResult {
  /** Oldest first, by their start. */
  readonly entries: readonly AccessLogEntry[];
  /** Whether more entries matched than the limits allow. */
  readonly more: boolean;
}

/** Entries decoded before other work may run: takes less than two milliseconds. */
const SLICE = 1000;
const MAX_RESULTS = 1000;
const MAX_BYTES = 64 * 2 ** 20;

/** @throws the signal's reason when it is aborted */
export async function searchRing(
  ring: LogRing,
  attribution: Attribution,
  query: LogQuery,
  { limit = MAX_RESULTS, bytes = MAX_BYTES, fields, signal }: SearchOptions = {},
): Promise<SearchResult> {
  const compiled = compileQuery(query);
  const reading = { compiled, check: projectionOf(compiled.needs), fields, attribution };
  const found = new Found(limit, bytes);
  let looked = 0;
  for (const { page, until } of ring.pages()) {
    signal?.throwIfAborted();
    if (!compiled.mayMatch(page.reporter)) continue;
    readPage(page, until, reading, found);
    looked += page.entries;
    if (looked >= SLICE) {
      looked = 0;
      await setImmediate();
    }
  }
  return found.newest();
}

/** Matching entries, of which only the newest are retained. */
class Found {
  readonly #limit: number;
  readonly #maxBytes: number;
  #entries: { readonly entry: AccessLogEntry; readonly bytes: number }[] = [];
  #bytes = 0;
  #more = false;

  constructor(limit: number, bytes: number) {
    this.#limit = limit;
    this.#maxBytes = bytes;
  }

  add(entry: AccessLogEntry, bytes: number): void {
    this.#entries.push({ entry, bytes });
    this.#bytes += bytes;
    // Sorts from time to time, so it holds at most a few times the size of the answer.
    if (this.#entries.length > this.#limit * 4 || this.#bytes > this.#maxBytes * 2) this.#cut();
  }

  newest(): SearchResult {
    this.#cut();
    return { entries: this.#entries.map(({ entry }) => entry), more: this.#more };
  }

  #cut(): void {
    this.#entries.sort((a, b) => (a.entry.fields.startTime ?? 0) - (b.entry.fields.startTime ?? 0));
    let [from, bytes] = [this.#entries.length, 0];
    while (from > 0 && this.#entries.length - from < this.#limit) {
      const next = this.#entries[from - 1]?.bytes ?? 0;
      if (bytes > 0 && bytes + next > this.#maxBytes) break;
      bytes += next;
      from--;
    }
    this.#more ||= from > 0;
    this.#entries = this.#entries.slice(from);
    this.#bytes = bytes;
  }
}

interface Reading {
  readonly compiled: CompiledQuery;
  readonly check: Projection;
  readonly fields: readonly FieldName[] | undefined;
  readonly attribution: Attribution;
}

const decoder = new AlsDecoder();

/** Decodes in two steps: first the fields of the query and, if it matches, the shown fields. */
function readPage(
  page: Page,
  until: number,
  { compiled, check, fields: requested, attribution }: Reading,
  found: Found,
): void {
  const { reporter, rules } = page;
  const show = shownFields(requested, rules);
  page.visit(until, (kind, bytes, from, to) => {
    if (compiled.kind !== undefined && compiled.kind !== kind) return;
    try {
      const seen = decoder.decode(bytes, kind, from, to, check);
      if (!compiled.matches(relate(seen, reporter, attribution))) return;
      const fields = decoder.decode(bytes, kind, from, to, show);
      rules.show(fields);
      found.add(relate(fields, reporter, attribution), to - from);
    } catch (error) {
      // Corrupt in a part that was not decoded on arrival: the entry matches no query.
      if (!(error instanceof WireError)) throw error;
    }
  });
}
