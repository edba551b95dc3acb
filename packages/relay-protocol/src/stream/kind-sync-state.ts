/**
 * Sync state of a sender for one kind: requests the receiver's content, sends the differences, then follows changes.
 */
import { RelayError } from '../errors.ts';
import type { ContentRequest, Have } from '../message.ts';
import type { ContentIndex } from '../object/content-index.ts';
import { diffDigests } from '../object/digest.ts';
import { entryId, kindId, type ObjectKind } from '../object/envelope.ts';

/**
 * - `waiting`: the local content of the kind is not synced. Nothing may be sent, since absence would mean deletion.
 * - `digestDue`, `digestSent`: the local digest must be sent; was sent.
 * - `bucketsDue`, `listing`: the entries of the differing buckets must be requested; are arriving.
 * - `expecting`: the receiver got the digest of all content and may answer that nothing differs; changes are recorded
 *   meanwhile.
 * - `open`: the difference is known and in `dirty`; from here on changes are followed.
 */
type Phase = 'waiting' | 'digestDue' | 'expecting' | 'digestSent' | 'bucketsDue' | 'listing' | 'open';

export class KindSyncState {
  readonly kind: ObjectKind;
  readonly id: string;
  /**
   * Entries to send, with the time of their first change and in that order. Their current state is read when they are
   * sent.
   */
  readonly dirty: Map<string, number> = new Map();
  /** Entries that only the receiver has, found by the comparison. The sender decides whether they may be deleted. */
  readonly surplus: Set<string> = new Set();
  /** Entries too large to be sent: the receiver does not know them until they change. */
  readonly unsendable: Set<string> = new Set();
  /** Latest time at which unsent entries began to differ. */
  readonly #now: () => number;
  #begun = 0;
  /** Whether the receiver still needs the message that the kind is complete. */
  mustSendComplete = false;
  readonly #content: ContentIndex;
  readonly #maxEntries: number;
  #phase: Phase = 'waiting';
  #round = 0;
  #mask = 0n;
  readonly #remote = new Map<string, string>();

  /**
   * @param maxEntries maximum number of entries that the receiver may list
   * @param now monotonic milliseconds
   */
  constructor(kind: ObjectKind, content: ContentIndex, maxEntries: number, now: () => number) {
    this.#now = now;
    this.kind = kind;
    this.id = kindId(kind);
    this.#content = content;
    this.#maxEntries = maxEntries;
  }

  get open(): boolean {
    return this.#phase === 'open';
  }

  /** Time of the oldest unsent change; undefined without one. */
  get since(): number | undefined {
    if (this.#phase === 'waiting') return undefined;
    if (this.#phase !== 'open') return this.#begun;
    for (const time of this.dirty.values()) return time;
    return undefined;
  }

  /** Starts or restarts the comparison. */
  begin(): void {
    this.stop();
    this.#phase = 'digestDue';
    this.#begun = this.#now();
  }

  /** The digest of all content is sent now. */
  expect(): void {
    if (this.#phase === 'digestDue') this.#phase = 'expecting';
  }

  /** The receiver answered it. */
  sent(same: boolean): void {
    if (this.#phase !== 'expecting') return;
    if (same) this.#phase = 'open';
    else this.begin();
  }

  /** The local content is not synced, or no longer. */
  stop(): void {
    this.#phase = 'waiting';
    this.#round++;
    this.dirty.clear();
    this.surplus.clear();
    this.unsendable.clear();
    this.#remote.clear();
    this.mustSendComplete = false;
  }

  /** A local object changed. Ignored before the comparison: the digest will include it. */
  changed(entry: string, since: number = this.#now()): void {
    this.unsendable.delete(entry);
    if (this.#phase === 'waiting' || this.#phase === 'digestDue' || this.dirty.has(entry)) return;
    this.dirty.set(entry, since);
  }

  /** The next request, if one is due. */
  nextContentRequest(): ContentRequest | undefined {
    const { kind } = this;
    const round = this.#round;
    if (this.#phase === 'digestDue') {
      this.#phase = 'digestSent';
      return { type: 'contentRequest', kind, round, ask: { digest: this.#content.digest(this.id) } };
    }
    if (this.#phase === 'bucketsDue') {
      this.#phase = 'listing';
      return { type: 'contentRequest', kind, round, ask: { buckets: this.#mask } };
    }
    return undefined;
  }

  /** Takes an answer; ignores those of older comparisons. @throws RelayError for an answer without a request */
  answered({ round, answer }: Have): void {
    if (round !== this.#round) return;
    if ('entries' in answer) {
      if (this.#phase !== 'listing') throw this.#unexpected('entries');
      for (const entry of answer.entries) this.#remote.set(entryId(entry), entry.hash);
      if (this.#remote.size > this.#maxEntries) {
        throw new RelayError(
          'RELAY_E_RESOURCE_EXHAUSTED',
          `${this.id}: the receiver lists more than ${this.#maxEntries} objects`,
        );
      }
      if (answer.last) this.#compare();
      return;
    }
    if (this.#phase !== 'digestSent') throw this.#unexpected('a digest');
    this.#mask = 'same' in answer ? 0n : diffDigests(this.#content.bucketDigests(this.id), answer.bucketDigests);
    if (this.#mask === 0n) this.#opened();
    else this.#phase = 'bucketsDue';
  }

  #compare(): void {
    const now = this.#now();
    for (const entry of this.#content.listBuckets(this.id, this.#mask)) {
      const id = entryId(entry);
      if (this.#remote.get(id) !== entry.hash && !this.dirty.has(id)) this.dirty.set(id, now);
      this.#remote.delete(id);
    }
    for (const id of this.#remote.keys()) this.surplus.add(id);
    this.#remote.clear();
    this.#opened();
  }

  #opened(): void {
    this.#phase = 'open';
    this.mustSendComplete = true;
  }

  #unexpected(what: string): RelayError {
    return new RelayError('RELAY_E_PROTOCOL', `${this.id}: the receiver sent ${what} without a request`);
  }
}
