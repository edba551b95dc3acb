/** The receiving end that Push and Pull share: puts objects together, checks them, tells what it has, and answers every delta. */
import { Buffer } from 'node:buffer';
import { RelayError } from '../errors.ts';
import type { RelayLimits } from '../limits.ts';
import type { Ack, Delta, Entry, Have, Refusal, Resync, Verdict, Want } from '../message.ts';
import { Assembler } from '../object/assembler.ts';
import type { ContentIndex } from '../object/content-index.ts';
import { entryId, kindId, type ObjectEnvelope, type ObjectKey } from '../object/envelope.ts';
import { type IntakeFault, nameFault, objectFault } from '../object/intake.ts';

/** A delta whose objects are whole and checked. */
export interface CheckedDelta {
  readonly number: number;
  readonly upserts: readonly ObjectEnvelope[];
  readonly deletes: readonly ObjectKey[];
  /** What did not pass. */
  readonly refused: readonly Refusal[];
  /** What the sender has and cannot send. */
  readonly oversized: readonly Refusal[];
}

/** What an entry takes in a message beside its name, in bytes, rounded up. */
const ENTRY_OVERHEAD = 32;
/** A reason is told in this many characters: the answer to a full delta must fit into a message, even if all of it was refused. */
const MAX_REASON = 512;

type Answer = Ack | Have | Resync;

interface Waiting {
  readonly answer: Answer;
  /** Bytes of the delta it answers; undefined for what is no first answer. */
  readonly answers?: number;
}

export class DeltaReceiver {
  readonly #holdings: ContentIndex;
  readonly #limits: RelayLimits;
  readonly #assembler: Assembler;
  readonly #ready: () => void;
  readonly #answers: Waiting[] = [];
  /** What is being told of a kind: a new question about the kind ends the answer before it. */
  readonly #told = new Map<string, Iterator<Have>>();
  /** Questions that wait for their turn, the last one of each kind. */
  readonly #asked = new Map<string, Want>();
  /** Bytes of the deltas taken in that have no answer yet. */
  readonly #unanswered = new Map<number, number>();
  #unansweredDeltas = 0;
  #unansweredBytes = 0;

  constructor(holdings: ContentIndex, limits: RelayLimits, ready: () => void) {
    this.#holdings = holdings;
    this.#limits = limits;
    this.#assembler = new Assembler(limits);
    this.#ready = ready;
  }

  /** Puts together and checks a delta. @throws RelayError when the peer ignores its window or parts do not fit. */
  check({ number, kind, upserts, deletes, oversized = [] }: Delta): CheckedDelta {
    this.#takeIn(number, upserts);
    const passed: ObjectEnvelope[] = [];
    const refused: Refusal[] = [];
    for (const upsert of upserts) {
      const key = { ...kind, namespace: upsert.namespace, name: upsert.name };
      const assembled = this.#assembler.take(kind, upsert);
      if ('waiting' in assembled) continue;
      const fault = 'fault' in assembled ? assembled.fault : objectFault(assembled.envelope, this.#limits);
      if (fault !== undefined) refused.push(refusalOf(key, upsert.hash, fault));
      else if ('envelope' in assembled) passed.push(assembled.envelope);
    }
    const gone: ObjectKey[] = [];
    for (const { namespace, name } of deletes) {
      const fault = nameFault({ namespace, name });
      const key = { ...kind, namespace, name };
      if (fault === undefined) gone.push(key);
      else refused.push(refusalOf(key, '', fault));
    }
    const kept: Refusal[] = [];
    for (const { key: told, hash, code, reason } of oversized) {
      const key = { ...kind, namespace: told.namespace, name: told.name };
      const fault = nameFault(key);
      if (fault === undefined) kept.push(shortened({ key, hash, code, reason }));
      else refused.push(refusalOf(key, hash, fault));
    }
    return { number, upserts: passed, deletes: gone, refused, oversized: kept };
  }

  answer(number: number, verdict: Verdict, refused: readonly Refusal[] = [], behind: readonly string[] = []): void {
    const answers = this.#unanswered.get(number) ?? 0;
    this.#unanswered.delete(number);
    this.#tell({ type: 'ack', number, verdict, refused: refused.map(shortened), behind }, answers);
  }

  /** A second answer to a delta that was held: what it is about is to be sent again, as it is by then. */
  answerAgain(number: number): void {
    this.#tell({ type: 'ack', number, verdict: 'stale', refused: [], behind: [] });
  }

  resync(reason: string, kinds: Resync['kinds'] = []): void {
    this.#tell({ type: 'resync', kinds, reason });
  }

  /** Notes a question. @returns whether its kind needs a turn; otherwise it takes the place of one that waits for its turn. */
  ask(want: Want): boolean {
    const id = kindId(want.kind);
    const waits = this.#asked.has(id);
    this.#asked.set(id, want);
    return !waits;
  }

  /** Answers the last question about a kind. @returns the question */
  tell(id: string): Want | undefined {
    const want = this.#asked.get(id);
    if (want === undefined) return undefined;
    this.#asked.delete(id);
    this.#told.set(
      id,
      'buckets' in want.ask ? this.#list(want, want.ask.buckets) : this.#compare(want, want.ask.digest),
    );
    this.#ready();
    return want;
  }

  /** The next answer, if one is due. */
  next(): Answer | undefined {
    const waiting = this.#answers.shift();
    if (waiting !== undefined) {
      if (waiting.answers !== undefined) this.#takeOut(waiting.answers);
      return waiting.answer;
    }
    for (const [id, told] of this.#told) {
      const { value, done } = told.next();
      if (done !== true) return value;
      this.#told.delete(id);
    }
    return undefined;
  }

  end(): void {
    this.#answers.length = 0;
    this.#told.clear();
    this.#asked.clear();
    this.#unanswered.clear();
  }

  /** Computed when it is sent, from what is here then. */
  *#compare({ kind, round }: Want, digest: Uint8Array): Generator<Have> {
    const id = kindId(kind);
    const same = Buffer.compare(this.#holdings.digest(id), digest) === 0;
    const answer = same ? ({ same } as const) : { bucketDigests: this.#holdings.bucketDigests(id) };
    yield { type: 'have', kind, round, answer };
  }

  /** Takes the entries at once, since they change while they are being told; pages them as the transport has room. */
  *#list({ kind, round }: Want, mask: bigint): Generator<Have> {
    const entries = [...this.#holdings.listBuckets(kindId(kind), mask)];
    let told = 0;
    do {
      const end = pageEnd(entries, told, this.#limits.messageBytes / 2);
      const answer = { entries: entries.slice(told, end), last: end >= entries.length };
      told = end;
      yield { type: 'have', kind, round, answer };
    } while (told < entries.length);
  }

  /** A delta counts until its answer has been taken out, so that a peer which does not read cannot go on sending. */
  #takeIn(number: number, upserts: Delta['upserts']): void {
    const { windowDeltas, windowBytes, messageBytes } = this.#limits;
    const bytes = upserts.reduce((sum, { body }) => sum + body.byteLength, 0);
    this.#unanswered.set(number, (this.#unanswered.get(number) ?? 0) + bytes);
    this.#unansweredDeltas++;
    this.#unansweredBytes += bytes;
    if (this.#unansweredDeltas > windowDeltas || this.#unansweredBytes > windowBytes + messageBytes) {
      throw new RelayError(
        'RELAY_E_LIMIT',
        `more than ${windowDeltas} deltas or ${windowBytes} bytes sent without waiting for answers`,
      );
    }
  }

  #takeOut(bytes: number): void {
    this.#unansweredDeltas--;
    this.#unansweredBytes -= bytes;
  }

  #tell(answer: Answer, answers?: number): void {
    this.#answers.push(answers === undefined ? { answer } : { answer, answers });
    this.#ready();
  }
}

/** Where the page that starts at `start` ends, so that it has about `bytes` bytes. */
function pageEnd(entries: readonly Entry[], start: number, bytes: number): number {
  let size = 0;
  let end = start;
  for (; end < entries.length && size < bytes; end++) {
    const { namespace = '', name = '' } = entries[end] ?? {};
    size += Buffer.byteLength(namespace) + Buffer.byteLength(name) + ENTRY_OVERHEAD;
  }
  return end;
}

/** A fault as the answer about one object. */
export function refusalOf(key: ObjectKey, hash: string, { code, reason }: IntakeFault): Refusal {
  return { key, hash, code, reason };
}

function shortened(refusal: Refusal): Refusal {
  return refusal.reason.length <= MAX_REASON ? refusal : { ...refusal, reason: refusal.reason.slice(0, MAX_REASON) };
}

/** The refusals about some of a batch's keys, as the ids to leave out of what is now held. */
export function refusedIds(refusals: readonly Refusal[]): Set<string> {
  return new Set(refusals.map(({ key }) => entryId(key)));
}
