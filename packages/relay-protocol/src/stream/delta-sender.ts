/** The sending end that Push and Pull share: compares, then sends what differs, then follows the table's changes. */
import type { RelayLimits } from '../limits.ts';
import type { Ack, Delta, Have, Refusal, Resync, Want } from '../message.ts';
import { entryId, kindId, type ObjectEnvelope, type ObjectKind } from '../object/envelope.ts';
import type { ObjectTable } from '../object/object-table.ts';
import { type DeltaBatch, fillBatch } from './delta-batch.ts';
import { FlowWindow } from './flow-window.ts';
import { KindProgress } from './kind-progress.ts';

export interface DeltaSenderOptions {
  readonly table: ObjectTable;
  /** In the order in which they go. */
  readonly kinds: readonly ObjectKind[];
  readonly limits: RelayLimits;
  nextNumber(): number;
  /**
   * What `complete` in a delta speaks of. `kind`: each kind by itself, once it is known in full here. `whole`: all kinds together, once
   * `wholeKnown` says that the table holds everything; until then nothing is deleted merely because the table lacks it.
   */
  readonly complete: 'kind' | 'whole';
  wholeKnown?(): boolean;
  /** Something may be there to send. */
  ready(): void;
  /** The receiver, or we before sending, refused objects. They are sent again when they change. */
  refused(refusals: readonly Refusal[]): void;
}

/** What one delta carried, until it is answered. */
interface InFlight {
  readonly progress: KindProgress;
  readonly entries: readonly string[];
}

interface Parts {
  readonly progress: KindProgress;
  readonly envelope: ObjectEnvelope;
  offset: number;
}

/** Room in a message for what is not content. */
const HEADROOM = 8;

export class DeltaSender {
  readonly window: FlowWindow = new FlowWindow();
  readonly #options: DeltaSenderOptions;
  readonly #kinds = new Map<string, KindProgress>();
  readonly #inFlight = new Map<number, InFlight>();
  readonly #unlisten: () => void;
  readonly #payload: number;
  #parts: Parts | undefined;
  #owesWhole = true;
  /** Kinds that have something to do, so that a message costs nothing for the others. */
  readonly #busy = new Set<KindProgress>();

  constructor(options: DeltaSenderOptions) {
    this.#options = options;
    this.#payload = options.limits.messageBytes - Math.ceil(options.limits.messageBytes / HEADROOM);
    for (const kind of options.kinds) this.addKind(kind);
    this.#unlisten = options.table.listen({
      changed: (kind, entry) => this.#changed(kind, entry),
      syncedChanged: (kind) => this.#syncedChanged(kindId(kind)),
    });
  }

  /** Entries that wait to be sent. */
  get depth(): number {
    let depth = this.#parts === undefined ? 0 : 1;
    for (const { dirty } of this.#busy) depth += dirty.size;
    return depth;
  }

  /** Whether the other side has all there is, but for what it refused: compared, sent and answered. */
  get settled(): boolean {
    if (this.#parts !== undefined || this.#inFlight.size > 0) return false;
    for (const { open, dirty } of this.#kinds.values()) if (!open || dirty.size > 0) return false;
    return true;
  }

  hasKind(kind: ObjectKind): boolean {
    return this.#kinds.has(kindId(kind));
  }

  addKind(kind: ObjectKind): void {
    const id = kindId(kind);
    if (this.#kinds.has(id)) return;
    const { table, limits } = this.#options;
    this.#kinds.set(id, new KindProgress(kind, table.content, limits.objects));
    this.#owesWhole = true;
    this.#syncedChanged(id);
  }

  receiveHave(have: Have): void {
    const progress = this.#kinds.get(kindId(have.kind));
    if (progress === undefined) return;
    progress.answered(have);
    if (progress.open) this.#owesWhole = true;
    this.#wake(progress);
  }

  /** @returns whether the delta was kept; one that was not is sent again. */
  receiveAck({ number, verdict, refused }: Ack): boolean {
    const answered = this.window.answered(number);
    const flight = this.#inFlight.get(number);
    if (verdict !== 'held') this.#inFlight.delete(number);
    if (refused.length > 0) this.#options.refused(refused);
    if (verdict === 'stale') {
      this.#owesWhole = true;
      if (flight !== undefined) this.#requeue(flight);
    }
    if (answered) this.#options.ready();
    return verdict !== 'stale';
  }

  receiveResync({ kinds }: Resync): void {
    const chosen = kinds.length === 0 ? [...this.#kinds.keys()] : kinds.map(kindId);
    for (const id of chosen) this.#syncedChanged(id);
  }

  /** The next question, if one is due. Questions need no window: there is at most one on the way for each kind. */
  nextWant(): Want | undefined {
    for (const progress of this.#busy) {
      const want = progress.nextWant();
      if (want !== undefined) return want;
    }
    return undefined;
  }

  /** The next delta, if one is due and the window is open. */
  nextDelta(): Delta | undefined {
    if (!this.window.open) return undefined;
    if (this.#parts !== undefined) return this.#nextPart(this.#parts);
    for (const progress of this.#turns()) {
      if (!progress.open) continue;
      this.#releaseSurplus(progress);
      const delta = this.#batchOf(progress);
      if (delta !== undefined) return delta;
      if (this.#parts !== undefined) return this.#nextPart(this.#parts);
    }
    return this.#owesWhole && this.#wholeSent() ? this.#emptyWhole() : undefined;
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

  /** Compares (again) when the kind is known in full; else stops. */
  #syncedChanged(id: string): void {
    const progress = this.#kinds.get(id);
    if (progress === undefined) return;
    if (this.#parts?.progress === progress) this.#parts = undefined;
    if (this.#options.table.isSynced(id)) progress.begin();
    else progress.stop();
    this.#wake(progress);
  }

  /** Inputs take turns, so that a kind that changes all the time keeps no other waiting; outputs keep the order of their kinds. */
  #turns(): Iterable<KindProgress> {
    if (this.#options.complete === 'kind') return this.#busy;
    return [...this.#kinds.values()].filter((progress) => this.#busy.has(progress));
  }

  #wake(progress: KindProgress): void {
    this.#busy.add(progress);
    this.#options.ready();
  }

  #releaseSurplus(progress: KindProgress): void {
    if (progress.surplus.size === 0 || !this.#wholeKnown()) return;
    for (const id of progress.surplus) progress.dirty.add(id);
    progress.surplus.clear();
  }

  #batchOf(progress: KindProgress): Delta | undefined {
    const { table, limits, complete, refused } = this.#options;
    const bounds = { payload: this.#payload, objectBytes: limits.objectBytes };
    const refusals: Refusal[] = [];
    const batch = fillBatch(progress, table.content, bounds, {
      large: (envelope) => {
        this.#parts = { progress, envelope, offset: 0 };
      },
      refuse: (refusal) => refusals.push(refusal),
    });
    if (refusals.length > 0) refused(refusals);
    if (this.#parts !== undefined && batch.entries.length === 0) return undefined;
    const due = batch.entries.length > 0 || (complete === 'kind' && progress.owesComplete);
    if (!due) {
      this.#settle(progress);
      return undefined;
    }
    return this.#delta(progress, batch);
  }

  #nextPart(parts: Parts): Delta {
    const { envelope, progress, offset } = parts;
    const total = envelope.body.byteLength;
    const body = envelope.body.subarray(offset, offset + this.#payload);
    parts.offset += body.byteLength;
    if (parts.offset >= total) this.#parts = undefined;
    const { namespace, name, hash } = envelope;
    const upsert = { namespace, name, hash, body, part: { total, offset } };
    return this.#delta(progress, {
      upserts: [upsert],
      deletes: [],
      entries: [entryId(envelope)],
      bytes: body.byteLength,
    });
  }

  #delta(progress: KindProgress, { upserts, deletes, entries, bytes }: DeltaBatch): Delta {
    const number = this.#options.nextNumber();
    this.#inFlight.set(number, { progress, entries });
    this.window.sent(number, bytes);
    const sentAll = progress.dirty.size === 0 && this.#parts === undefined;
    this.#busy.delete(progress);
    if (sentAll) this.#settle(progress);
    else this.#busy.add(progress);
    const complete = this.#options.complete === 'kind' ? sentAll : this.#takeWhole();
    return { type: 'delta', number, kind: progress.kind, upserts, deletes, complete };
  }

  #settle(progress: KindProgress): void {
    progress.owesComplete = false;
    // Surplus that may not go yet keeps the kind busy.
    if (progress.surplus.size === 0) this.#busy.delete(progress);
    else this.#busy.add(progress);
  }

  #wholeKnown(): boolean {
    return this.#options.wholeKnown?.() ?? true;
  }

  #wholeSent(): boolean {
    if (this.#options.complete !== 'whole' || !this.#wholeKnown() || this.#parts !== undefined) return false;
    for (const progress of this.#kinds.values()) {
      const { open, dirty, surplus, unsendable } = progress;
      if (!open || dirty.size + surplus.size + unsendable.size > 0) return false;
    }
    return true;
  }

  #takeWhole(): boolean {
    if (!this.#wholeSent()) return false;
    this.#owesWhole = false;
    return true;
  }

  /** Says that the whole is there when no object is left to say it with. */
  #emptyWhole(): Delta {
    this.#owesWhole = false;
    const number = this.#options.nextNumber();
    this.window.sent(number, 0);
    const kind = { group: '', version: '', kind: '' };
    return { type: 'delta', number, kind, upserts: [], deletes: [], complete: true };
  }

  #requeue({ progress, entries }: InFlight): void {
    if (this.#parts !== undefined && this.#parts.progress === progress) {
      progress.changed(entryId(this.#parts.envelope));
      this.#parts = undefined;
    }
    for (const entry of entries) progress.changed(entry);
    this.#wake(progress);
  }
}
