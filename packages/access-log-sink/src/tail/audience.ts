/** Recipients of entries on arrival, and the fields to decode for them. */
import type { Buffer } from 'node:buffer';
import type { Attribution, Reporter } from '../attribution/reporter.ts';
import { AlsDecoder } from '../codec/als-decoder.ts';
import { shownFields } from '../codec/shown-fields.ts';
import { type AccessLogEntry, relate } from '../entry/access-log-entry.ts';
import type { AccessLogFields, FieldName } from '../entry/access-log-fields.ts';
import type { CompiledRules } from '../filter/compiled-rules.ts';
import { WireError } from '../wire/wire-error.ts';
import type { LogTail } from './log-tail.ts';

/** Receives every readable entry, whether a rule matches it or not: for counting. */
export interface LogObserver {
  /** The fields that it reads. */
  readonly needs: readonly FieldName[];
  observe(fields: AccessLogFields, reporter: Reporter): void;
}

/** Location of an entry's bytes while it is reported. */
export interface EntryBytes {
  readonly reporter: Reporter;
  readonly rules: CompiledRules;
  readonly kind: 'http' | 'tcp';
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

const decoder = new AlsDecoder();

/** Tails and observers of one sink. */
export class Audience {
  readonly #attribution: Attribution;
  readonly #observers: readonly LogObserver[];
  readonly #tails = new Set<LogTail>();
  #version = 0;
  #needs: readonly FieldName[] = [];
  #shown: readonly FieldName[] | undefined;

  constructor(attribution: Attribution, observers: readonly LogObserver[]) {
    this.#attribution = attribution;
    this.#observers = observers;
    this.#changed();
  }

  /** Changes when `needs` may change. */
  get version(): number {
    return this.#version;
  }

  /** Fields that determine the recipients of an entry; undefined without recipients. */
  get needs(): readonly FieldName[] | undefined {
    return this.#observers.length === 0 && this.#tails.size === 0 ? undefined : this.#needs;
  }

  /** Whether `report` has any tail to report to. */
  get hasTails(): boolean {
    return this.#tails.size > 0;
  }

  add(tail: LogTail): void {
    this.#tails.add(tail);
    this.#changed();
  }

  remove(tail: LogTail): void {
    this.#tails.delete(tail);
    this.#changed();
  }

  observe(fields: AccessLogFields, reporter: Reporter): void {
    for (const observer of this.#observers) observer.observe(fields, reporter);
  }

  /** Offers a retained entry to all tails whose queries it matches: decoded once for all of them. */
  report(seen: AccessLogFields, at: EntryBytes): void {
    let reported: AccessLogEntry | undefined;
    const related = relate(seen, at.reporter, this.#attribution);
    for (const tail of this.#tails) {
      const { query } = tail;
      if (query.kind !== undefined && query.kind !== at.kind) continue;
      if (!query.mayMatch(at.reporter) || !query.matches(related)) continue;
      reported ??= this.#whole(at);
      if (reported === undefined) return;
      tail.offer(reported, at.to - at.from);
    }
  }

  /** Returns undefined if the entry is corrupt in a part that was not decoded before. */
  #whole({ reporter, rules, kind, bytes, from, to }: EntryBytes): AccessLogEntry | undefined {
    try {
      const fields = decoder.decode(bytes, kind, from, to, shownFields(this.#shown, rules));
      rules.show(fields);
      return relate(fields, reporter, this.#attribution);
    } catch (error) {
      if (error instanceof WireError) return undefined;
      throw error;
    }
  }

  #changed(): void {
    const tails = [...this.#tails];
    this.#version++;
    this.#needs = [
      ...new Set([...this.#observers.flatMap(({ needs }) => needs), ...tails.flatMap(({ query }) => query.needs)]),
    ];
    const requested = tails.map(({ fields }) => fields);
    this.#shown = requested.some((fields) => fields === undefined)
      ? undefined
      : requested.flatMap((fields) => fields ?? []);
  }
}
