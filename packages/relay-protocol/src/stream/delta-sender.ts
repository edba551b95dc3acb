/** The sending end of Push and Pull: compares, sends the differences, then follows the table's changes. */
import type { RelayLimits } from '../limits.ts';
import type { Ack, ContentRequest, Delta, Have, KindLag, ObjectRejection, Resync } from '../message.ts';
import { entryId, kindId, type ObjectEnvelope, type ObjectKind } from '../object/envelope.ts';
import type { ObjectTable } from '../object/object-table.ts';
import { type DeltaBatch, emptyBatch, fillBatch } from './delta-batch.ts';
import { FlowWindow } from './flow-window.ts';
import { KindSyncState } from './kind-sync-state.ts';

export interface DeltaSenderOptions {
  readonly table: ObjectTable;
  /** In sending order. */
  readonly kinds: readonly ObjectKind[];
  readonly limits: RelayLimits;
  nextNumber(): number;
  /**
   * Meaning of `complete` in a delta. `kind`: each kind alone, once it is synced here. `whole`: all kinds together,
   * once `wholeKnown` says that the table holds everything. Until then nothing is deleted merely because the table
   * lacks it.
   */
  readonly complete: 'kind' | 'whole';
  wholeKnown?(): boolean;
  /** There may be something to send. */
  ready(): void;
  /** The receiver, or this end before sending, rejected objects. They are sent again when they change. */
  refused(rejections: readonly ObjectRejection[]): void;
  /** Monotonic milliseconds. */
  now(): number;
}

/** Content of one delta until it is acknowledged. */
interface InFlight {
  readonly progress: KindSyncState;
  readonly entries: readonly string[];
  /** Time of its oldest change. */
  readonly since: number;
}

interface Parts {
  readonly progress: KindSyncState;
  readonly envelope: ObjectEnvelope;
  readonly since: number;
  offset: number;
}

/** Share of a message that is not content. */
const HEADROOM = 8;

export class DeltaSender {
  readonly window: FlowWindow = new FlowWindow();
  readonly #options: DeltaSenderOptions;
  readonly #kinds = new Map<string, KindSyncState>();
  readonly #inFlight = new Map<number, InFlight>();
  readonly #unlisten: () => void;
  readonly #payload: number;
  #parts: Parts | undefined;
  #mustSendFull = true;
  /** Whether the receiver understands entries for objects that are not sent. */
  #reportsOversized = false;
  /** Kinds with pending work, so that a message costs nothing for the others. */
  readonly #busy = new Set<KindSyncState>();

  constructor(options: DeltaSenderOptions) {
    this.#options = options;
    this.#payload = options.limits.messageBytes - Math.ceil(options.limits.messageBytes / HEADROOM);
    for (const kind of options.kinds) this.addKind(kind);
    this.#unlisten = options.table.listen({
      changed: (kind, entry) => this.#changed(kind, entry),
      syncedChanged: (kind) => this.#syncedChanged(kindId(kind)),
    });
  }

  /** Number of entries that wait to be sent. */
  get depth(): number {
    let depth = this.#parts === undefined ? 0 : 1;
    for (const { dirty } of this.#busy) depth += dirty.size;
    return depth;
  }

  /** Whether the other side has all content except what it rejected: compared, sent and acknowledged. */
  get settled(): boolean {
    if (this.#parts !== undefined || this.#inFlight.size > 0) return false;
    for (const { open, dirty } of this.#kinds.values()) if (!open || dirty.size > 0) return false;
    return true;
  }

  /** The kinds in which the receiver is behind, without those not synced here. */
  lags(): KindLag[] {
    const now = this.#options.now();
    const lags: KindLag[] = [];
    for (const progress of this.#kinds.values()) {
      let [entries, since] = [progress.dirty.size, progress.since ?? Number.POSITIVE_INFINITY];
      if (this.#parts?.progress === progress) since = Math.min(since, this.#parts.since);
      for (const flight of this.#inFlight.values()) {
        if (flight.progress !== progress) continue;
        entries += flight.entries.length;
        since = Math.min(since, flight.since);
      }
      if (since !== Number.POSITIVE_INFINITY)
        lags.push({ kind: progress.kind, entries, age: Math.max(0, Math.round(now - since)) });
    }
    return lags;
  }

  /** The receiver understands entries for objects that are not sent. */
  reportOversized(): void {
    this.#reportsOversized = true;
  }

  /** The digest of all content is sent now: changes from here on are recorded. */
  expectSame(): void {
    for (const progress of this.#kinds.values()) progress.expect();
  }

  /** The receiver answered the digest. @param whole whether it also knows that it has the whole output set */
  answeredSame(same: boolean, whole = false): void {
    for (const progress of this.#kinds.values()) progress.sent(same);
    if (same) this.#mustSendFull = !whole;
    this.#options.ready();
  }

  addKind(kind: ObjectKind): void {
    const id = kindId(kind);
    if (this.#kinds.has(id)) return;
    const { table, limits, now } = this.#options;
    this.#kinds.set(id, new KindSyncState(kind, table.content, limits.objects, now));
    this.#mustSendFull = true;
    this.#syncedChanged(id);
  }

  receiveHave(have: Have): void {
    const progress = this.#kinds.get(kindId(have.kind));
    if (progress === undefined) return;
    progress.answered(have);
    if (progress.open) this.#mustSendFull = true;
    this.#wake(progress);
  }

  /** @returns whether the delta was accepted; otherwise it is sent again */
  receiveAck({ number, result, refused }: Ack): boolean {
    const answered = this.window.answered(number);
    const flight = this.#inFlight.get(number);
    if (result !== 'held') this.#inFlight.delete(number);
    if (refused.length > 0) this.#options.refused(refused);
    if (result === 'stale') {
      this.#mustSendFull = true;
      if (flight !== undefined) this.#requeue(flight);
    }
    if (answered) this.#options.ready();
    return result !== 'stale';
  }

  receiveResync({ kinds }: Resync): void {
    const chosen = kinds.length === 0 ? [...this.#kinds.keys()] : kinds.map(kindId);
    for (const id of chosen) this.#syncedChanged(id);
  }

  /** The next request, if one is due. Requests need no window: at most one per kind is pending. */
  nextContentRequest(): ContentRequest | undefined {
    for (const progress of this.#busy) {
      const contentRequest = progress.nextContentRequest();
      if (contentRequest !== undefined) return contentRequest;
    }
    return undefined;
  }

  /** The next delta, if one is due and the window is open. */
  nextDelta(): Delta | undefined {
    if (!this.window.open) return undefined;
    if (this.#parts !== undefined) return this.#nextPart(this.#parts);
    for (const progress of this.#rounds()) {
      if (!progress.open) continue;
      this.#releaseSurplus(progress);
      const delta = this.#batchOf(progress);
      if (delta !== undefined) return delta;
      if (this.#parts !== undefined) return this.#nextPart(this.#parts);
    }
    return this.#mustSendFull && this.#wholeSent() ? this.#emptyWhole() : undefined;
  }

  end(): void {
    this.#unlisten();
    this.#inFlight.clear();
    this.#busy.clear();
    this.#kinds.clear();
    this.#parts = undefined;
  }

  #changed(kind: string, entry: string): void {
    const progress = this.#kinds.get(kind);
    if (progress === undefined) return;
    progress.changed(entry);
    this.#wake(progress);
  }

  /** Compares (again) when the kind is synced; else stops. */
  #syncedChanged(id: string): void {
    const progress = this.#kinds.get(id);
    if (progress === undefined) return;
    if (this.#parts?.progress === progress) this.#parts = undefined;
    if (this.#options.table.isSynced(id)) progress.begin();
    else progress.stop();
    this.#wake(progress);
  }

  /**
   * Inputs take turns, so that a kind that changes all the time does not delay others; outputs keep the order of their
   * kinds.
   */
  #rounds(): Iterable<KindSyncState> {
    if (this.#options.complete === 'kind') return this.#busy;
    return [...this.#kinds.values()].filter((progress) => this.#busy.has(progress));
  }

  #wake(progress: KindSyncState): void {
    this.#busy.add(progress);
    this.#options.ready();
  }

  #releaseSurplus(progress: KindSyncState): void {
    if (progress.surplus.size === 0 || !this.#wholeKnown()) return;
    for (const id of progress.surplus) progress.changed(id);
    progress.surplus.clear();
  }

  #batchOf(progress: KindSyncState): Delta | undefined {
    const { table, limits, complete, refused } = this.#options;
    const batch = fillBatch(progress, table.content, { payload: this.#payload, objectBytes: limits.objectBytes });
    if (batch.large !== undefined) {
      this.#parts = { progress, envelope: batch.large, since: batch.since, offset: 0 };
      return undefined;
    }
    if (batch.oversized.length > 0) refused(batch.oversized);
    const due = batch.entries.length > 0 || (complete === 'kind' && progress.mustSendComplete);
    if (due) return this.#delta(progress, batch);
    this.#settle(progress);
    return undefined;
  }

  #nextPart(parts: Parts): Delta {
    const { envelope, progress, since, offset } = parts;
    const total = envelope.body.byteLength;
    const body = envelope.body.subarray(offset, offset + this.#payload);
    parts.offset += body.byteLength;
    if (parts.offset >= total) this.#parts = undefined;
    const { namespace, name, hash } = envelope;
    const upsert = { namespace, name, hash, body, part: { total, offset } };
    const entries = [entryId(envelope)];
    return this.#delta(progress, { ...emptyBatch(), upserts: [upsert], entries, bytes: body.byteLength, since });
  }

  #delta(progress: KindSyncState, { upserts, oversized, deletes, entries, bytes, since }: DeltaBatch): Delta {
    const number = this.#options.nextNumber();
    this.#inFlight.set(number, { progress, entries, since: Math.min(since, this.#options.now()) });
    this.window.sent(number, bytes);
    const sentAll = progress.dirty.size === 0 && this.#parts === undefined;
    this.#busy.delete(progress);
    if (sentAll) this.#settle(progress);
    else this.#busy.add(progress);
    const complete = this.#options.complete === 'kind' ? sentAll && this.#hasReported(progress) : this.#takeWhole();
    const delta: Delta = { type: 'delta', number, kind: progress.kind, upserts, deletes, complete };
    return oversized.length > 0 && this.#reportsOversized ? { ...delta, oversized } : delta;
  }

  /** Whether the receiver knows all objects that are not sent. */
  #hasReported({ unsendable }: KindSyncState): boolean {
    return unsendable.size === 0 || this.#reportsOversized;
  }

  #settle(progress: KindSyncState): void {
    progress.mustSendComplete = false;
    // Surplus that may not be deleted yet keeps the kind busy.
    if (progress.surplus.size === 0) this.#busy.delete(progress);
    else this.#busy.add(progress);
  }

  #wholeKnown(): boolean {
    return this.#options.wholeKnown?.() ?? true;
  }

  #wholeSent(): boolean {
    if (this.#options.complete !== 'whole' || !this.#wholeKnown() || this.#parts !== undefined) return false;
    for (const progress of this.#kinds.values()) {
      const { open, dirty, surplus } = progress;
      if (!open || dirty.size + surplus.size > 0 || !this.#hasReported(progress)) return false;
    }
    return true;
  }

  #takeWhole(): boolean {
    if (!this.#wholeSent()) return false;
    this.#mustSendFull = false;
    return true;
  }

  /** Reports that the content is complete when no remaining object can contain that flag. */
  #emptyWhole(): Delta {
    this.#mustSendFull = false;
    const number = this.#options.nextNumber();
    this.window.sent(number, 0);
    const kind = { group: '', version: '', kind: '' };
    return { type: 'delta', number, kind, upserts: [], deletes: [], complete: true };
  }

  #requeue({ progress, entries, since }: InFlight): void {
    if (this.#parts !== undefined && this.#parts.progress === progress) {
      progress.changed(entryId(this.#parts.envelope), this.#parts.since);
      this.#parts = undefined;
    }
    for (const entry of entries) progress.changed(entry, since);
    this.#wake(progress);
  }
}
