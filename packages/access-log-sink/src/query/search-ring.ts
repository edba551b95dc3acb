/** Looks through the ring for what meets a query, without holding up what comes in. */
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

/** How much is answered, and of what. */
export interface SearchOptions {
  /** Entries at most: the newest that meet the query. 1,000 by default. */
  readonly limit?: number;
  /** The fields to show; all by default. */
  readonly fields?: readonly FieldName[];
  /** Ends the search. */
  readonly signal?: AbortSignal;
}

/** The answer. */
export interface SearchResult {
  /** Oldest first, by their start. */
  readonly entries: readonly AccessLogEntry[];
  /** Whether there were more than the limit. */
  readonly more: boolean;
}

/** Entries that are decoded before others may run: below two milliseconds. */
const SLICE = 1000;
const MOST = 1000;

/** @throws the signal's reason when it is aborted */
export async function searchRing(
  ring: LogRing,
  attribution: Attribution,
  query: LogQuery,
  { limit = MOST, fields, signal }: SearchOptions = {},
): Promise<SearchResult> {
  const compiled = compileQuery(query);
  const reading = { compiled, look: projectionOf(compiled.needs), fields, attribution };
  const found: AccessLogEntry[] = [];
  let looked = 0;
  for (const { page, until } of ring.pages()) {
    signal?.throwIfAborted();
    if (!compiled.mayMeet(page.reporter)) continue;
    found.push(...readPage(page, until, reading));
    looked += page.entries;
    if (looked >= SLICE) {
      looked = 0;
      if (found.length > limit * 4) keepNewest(found, limit + 1);
      await setImmediate();
    }
  }
  keepNewest(found, limit + 1);
  const more = found.length > limit;
  return { entries: more ? found.slice(-limit) : found, more };
}

interface Reading {
  readonly compiled: CompiledQuery;
  readonly look: Projection;
  readonly fields: readonly FieldName[] | undefined;
  readonly attribution: Attribution;
}

const decoder = new AlsDecoder();

/** Two looks: at what the query asks about, and, where that meets it, at what is shown. */
function readPage(
  page: Page,
  until: number,
  { compiled, look, fields: asked, attribution }: Reading,
): AccessLogEntry[] {
  const found: AccessLogEntry[] = [];
  const { reporter, rules } = page;
  const show = shownFields(asked, rules);
  page.visit(until, (kind, bytes, from, to) => {
    if (compiled.kind !== undefined && compiled.kind !== kind) return;
    try {
      const seen = decoder.decode(bytes, kind, from, to, look);
      if (!compiled.meets(relate(seen, reporter, attribution))) return;
      const fields = decoder.decode(bytes, kind, from, to, show);
      rules.show(fields);
      found.push(relate(fields, reporter, attribution));
    } catch (error) {
      // Damaged in a place that nobody looked at when it came: it is no answer to anything.
      if (!(error instanceof WireError)) throw error;
    }
  });
  return found;
}

function keepNewest(entries: AccessLogEntry[], count: number): void {
  entries.sort((a, b) => (a.fields.startTime ?? 0) - (b.fields.startTime ?? 0));
  entries.splice(0, Math.max(0, entries.length - count));
}
