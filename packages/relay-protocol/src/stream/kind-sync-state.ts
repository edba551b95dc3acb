/** How far a sender has come with one kind: asking what the receiver has, then sending what differs, then following changes. */
import { RelayError } from '../errors.ts';
import type { ContentRequest, Have } from '../message.ts';
import type { ContentIndex } from '../object/content-index.ts';
import { diffDigests } from '../object/digest.ts';
import { entryId, kindId, type ObjectKind } from '../object/envelope.ts';

/**
 * - `waiting`: our own content of the kind is not known in full; nothing may be sent, since absence would read as deletion.
 * - `ask`, `asked`: our digest is to be sent; has been sent.
 * - `askBuckets`, `listing`: the entries of the differing buckets are to be asked for; are coming.
 * - `expecting`: the other end was told the digest of everything and may say that nothing differs; changes are kept meanwhile.
 * - `open`: the difference is known and in `dirty`; from here on changes are followed.
 */
type Phase = 'waiting' | 'ask' | 'expecting' | 'asked' | 'askBuckets' | 'listing' | 'open';

export class KindSyncState {
  readonly kind: ObjectKind;
  readonly id: string;
  /** Entries to send, in the order of their first change, with its time. Their present state is looked up when they are sent. */
  readonly dirty: Map<string, number> = new Map();
  /** Entries that the receiver has and we do not, found by comparing. Whether they may go is the sender's to say. */
  readonly surplus: Set<string> = new Set();
  /** Entries too large to be sent: until they change, the receiver does not know them. */
  readonly unsendable: Set<string> = new Set();
  /** When what is not sent yet began to differ, at the latest. */
  readonly #now: () => number;
  #begun = 0;
  /** Whether the receiver waits to be told that it has the whole kind. */
  mustSendComplete = false;
  readonly #content: ContentIndex;
  readonly #maxEntries: number;
  #phase: Phase = 'waiting';
  #round = 0;
  #mask = 0n;
  readonly #remote = new Map<string, string>();

  /**
   * @param maxEntries how many entries the receiver may tell at most
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

  /** The time of the oldest change that is not sent; undefined when there is none. */
  get since(): number | undefined {
    if (this.#phase === 'waiting') return undefined;
    if (this.#phase !== 'open') return this.#begun;
    for (const time of this.dirty.values()) return time;
    return undefined;
  }

  /** Begins with comparing, or begins again. */
  begin(): void {
    this.stop();
    this.#phase = 'ask';
    this.#begun = this.#now();
  }

  /** The digest of everything goes out now. */
  expect(): void {
    if (this.#phase === 'ask') this.#phase = 'expecting';
  }

  /** The other end has answered it. */
  sent(same: boolean): void {
    if (this.#phase !== 'expecting') return;
    if (same) this.#phase = 'open';
    else this.begin();
  }

  /** Our own content is not known in full (any more). */
  stop(): void {
    this.#phase = 'waiting';
    this.#round++;
    this.dirty.clear();
    this.surplus.clear();
    this.unsendable.clear();
    this.#remote.clear();
    this.mustSendComplete = false;
  }

  /** One of our objects changed. Before the comparison begins that does not matter: the digest will tell. */
  changed(entry: string, since: number = this.#now()): void {
    this.unsendable.delete(entry);
    if (this.#phase === 'waiting' || this.#phase === 'ask' || this.dirty.has(entry)) return;
    this.dirty.set(entry, since);
  }

  /** The question to send next, if one is due. */
  nextContentRequest(): ContentRequest | undefined {
    const { kind } = this;
    const round = this.#round;
    if (this.#phase === 'ask') {
      this.#phase = 'asked';
      return { type: 'want', kind, round, ask: { digest: this.#content.digest(this.id) } };
    }
    if (this.#phase === 'askBuckets') {
      this.#phase = 'listing';
      return { type: 'want', kind, round, ask: { buckets: this.#mask } };
    }
    return undefined;
  }

  /** Takes an answer; one to an older comparison is ignored. @throws RelayError for one that answers something else. */
  answered({ round, answer }: Have): void {
    if (round !== this.#round) return;
    if ('entries' in answer) {
      if (this.#phase !== 'listing') throw this.#unasked('entries');
      for (const entry of answer.entries) this.#remote.set(entryId(entry), entry.hash);
      if (this.#remote.size > this.#maxEntries) {
        throw new RelayError('RELAY_E_LIMIT', `${this.id}: the receiver tells more than ${this.#maxEntries} objects`);
      }
      if (answer.last) this.#compare();
      return;
    }
    if (this.#phase !== 'asked') throw this.#unasked('a digest');
    this.#mask = 'same' in answer ? 0n : diffDigests(this.#content.bucketDigests(this.id), answer.bucketDigests);
    if (this.#mask === 0n) this.#opened();
    else this.#phase = 'askBuckets';
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

  #unasked(what: string): RelayError {
    return new RelayError('RELAY_E_PROTOCOL', `${this.id}: the receiver told ${what} without being asked`);
  }
}
