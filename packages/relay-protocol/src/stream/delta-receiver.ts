/**
 * The receiving end of Push and Pull: assembles and checks objects, reports its content, and acknowledges every delta.
 */
import { Buffer } from 'node:buffer';
import { RelayError } from '../errors.ts';
import type { RelayLimits } from '../limits.ts';
import type { Ack, ContentRequest, Delta, DeltaResult, Entry, Have, ObjectRejection, Resync } from '../message.ts';
import { Assembler } from '../object/assembler.ts';
import type { ContentIndex } from '../object/content-index.ts';
import { entryId, kindId, type ObjectEnvelope, type ObjectKey } from '../object/envelope.ts';
import { type IntakeFault, nameFault, objectFault } from '../object/intake.ts';

/** A delta whose objects are complete and checked. */
export interface CheckedDelta {
  readonly number: number;
  readonly upserts: readonly ObjectEnvelope[];
  readonly deletes: readonly ObjectKey[];
  /** Objects that failed a check. */
  readonly refused: readonly ObjectRejection[];
  /** Objects that the sender has and cannot send. */
  readonly oversized: readonly ObjectRejection[];
}

/** Bytes of an entry in a message in addition to its name, rounded up. */
const ENTRY_OVERHEAD = 32;
/**
 * Maximum characters of a reason: the answer to a full delta must fit into a message, even if every object was
 * rejected.
 */
const MAX_REASON = 512;

type Answer = Ack | Have | Resync;

interface Waiting {
  readonly answer: Answer;
  /** Bytes of the delta that it acknowledges; undefined for a later answer. */
  readonly answers?: number;
}

export class DeltaReceiver {
  readonly #contentIndex: ContentIndex;
  readonly #limits: RelayLimits;
  readonly #assembler: Assembler;
  readonly #ready: () => void;
  readonly #answers: Waiting[] = [];
  /** The running answers by kind: a new request for the kind ends the previous answer. */
  readonly #sent = new Map<string, Iterator<Have>>();
  /** Waiting requests, the last one of each kind. */
  readonly #requested = new Map<string, ContentRequest>();
  /** Bytes of the received deltas without an answer. */
  readonly #unanswered = new Map<number, number>();
  #unansweredDeltas = 0;
  #unansweredBytes = 0;

  constructor(contentIndex: ContentIndex, limits: RelayLimits, ready: () => void) {
    this.#contentIndex = contentIndex;
    this.#limits = limits;
    this.#assembler = new Assembler(limits);
    this.#ready = ready;
  }

  /** Assembles and checks a delta. @throws RelayError when the peer exceeds its window or parts do not fit */
  check({ number, kind, upserts, deletes, oversized = [] }: Delta): CheckedDelta {
    this.#takeIn(number, upserts);
    const passed: ObjectEnvelope[] = [];
    const refused: ObjectRejection[] = [];
    for (const upsert of upserts) {
      const key = { ...kind, namespace: upsert.namespace, name: upsert.name };
      const assembled = this.#assembler.take(kind, upsert);
      if ('waiting' in assembled) continue;
      const fault = 'fault' in assembled ? assembled.fault : objectFault(assembled.envelope, this.#limits);
      if (fault !== undefined) refused.push(rejectionOf(key, upsert.hash, fault));
      else if ('envelope' in assembled) passed.push(assembled.envelope);
    }
    const gone: ObjectKey[] = [];
    for (const { namespace, name } of deletes) {
      const fault = nameFault({ namespace, name });
      const key = { ...kind, namespace, name };
      if (fault === undefined) gone.push(key);
      else refused.push(rejectionOf(key, '', fault));
    }
    const retained: ObjectRejection[] = [];
    for (const { key: sent, hash, code, reason } of oversized) {
      const key = { ...kind, namespace: sent.namespace, name: sent.name };
      const fault = nameFault(key);
      if (fault === undefined) retained.push(shortened({ key, hash, code, reason }));
      else refused.push(rejectionOf(key, hash, fault));
    }
    return { number, upserts: passed, deletes: gone, refused, oversized: retained };
  }

  answer(
    number: number,
    result: DeltaResult,
    refused: readonly ObjectRejection[] = [],
    behind: readonly string[] = [],
  ): void {
    const answers = this.#unanswered.get(number) ?? 0;
    this.#unanswered.delete(number);
    this.#announce({ type: 'ack', number, result, refused: refused.map(shortened), behind }, answers);
  }

  /** Second answer to a held delta: the sender sends the then current state again. */
  answerAgain(number: number): void {
    this.#announce({ type: 'ack', number, result: 'stale', refused: [], behind: [] });
  }

  resync(reason: string, kinds: Resync['kinds'] = []): void {
    this.#announce({ type: 'resync', kinds, reason });
  }

  /** Notes a request. @returns whether the request must be queued; otherwise it replaces a waiting one of its kind */
  ask(contentRequest: ContentRequest): boolean {
    const id = kindId(contentRequest.kind);
    const waits = this.#requested.has(id);
    this.#requested.set(id, contentRequest);
    return !waits;
  }

  /** Answers the last request for a kind. @returns the request */
  announce(id: string): ContentRequest | undefined {
    const contentRequest = this.#requested.get(id);
    if (contentRequest === undefined) return undefined;
    this.#requested.delete(id);
    this.#sent.set(
      id,
      'buckets' in contentRequest.ask
        ? this.#list(contentRequest, contentRequest.ask.buckets)
        : this.#compare(contentRequest, contentRequest.ask.digest),
    );
    this.#ready();
    return contentRequest;
  }

  /** The next answer, if one is due. */
  next(): Answer | undefined {
    const waiting = this.#answers.shift();
    if (waiting !== undefined) {
      if (waiting.answers !== undefined) this.#takeOut(waiting.answers);
      return waiting.answer;
    }
    for (const [id, sent] of this.#sent) {
      const { value, done } = sent.next();
      if (done !== true) return value;
      this.#sent.delete(id);
    }
    return undefined;
  }

  end(): void {
    this.#answers.length = 0;
    this.#sent.clear();
    this.#requested.clear();
    this.#unanswered.clear();
  }

  /** Computed at send time, from the content at that time. */
  *#compare({ kind, round }: ContentRequest, digest: Uint8Array): Generator<Have> {
    const id = kindId(kind);
    const same = Buffer.compare(this.#contentIndex.digest(id), digest) === 0;
    const answer = same ? ({ same } as const) : { bucketDigests: this.#contentIndex.bucketDigests(id) };
    yield { type: 'have', kind, round, answer };
  }

  /** Copies the entries at once, since they may change while they are sent; pages them as the transport has room. */
  *#list({ kind, round }: ContentRequest, mask: bigint): Generator<Have> {
    const entries = [...this.#contentIndex.listBuckets(kindId(kind), mask)];
    let sent = 0;
    do {
      const end = pageEnd(entries, sent, this.#limits.messageBytes / 2);
      const answer = { entries: entries.slice(sent, end), last: end >= entries.length };
      sent = end;
      yield { type: 'have', kind, round, answer };
    } while (sent < entries.length);
  }

  /** A delta counts until its answer is taken out, so that a peer that does not read cannot continue sending. */
  #takeIn(number: number, upserts: Delta['upserts']): void {
    const { windowDeltas, windowBytes, messageBytes } = this.#limits;
    const bytes = upserts.reduce((sum, { body }) => sum + body.byteLength, 0);
    this.#unanswered.set(number, (this.#unanswered.get(number) ?? 0) + bytes);
    this.#unansweredDeltas++;
    this.#unansweredBytes += bytes;
    if (this.#unansweredDeltas > windowDeltas || this.#unansweredBytes > windowBytes + messageBytes) {
      throw new RelayError(
        'RELAY_E_RESOURCE_EXHAUSTED',
        `more than ${windowDeltas} deltas or ${windowBytes} bytes sent without waiting for answers`,
      );
    }
  }

  #takeOut(bytes: number): void {
    this.#unansweredDeltas--;
    this.#unansweredBytes -= bytes;
  }

  #announce(answer: Answer, answers?: number): void {
    this.#answers.push(answers === undefined ? { answer } : { answer, answers });
    this.#ready();
  }
}

/** End of the page that begins at `start`, with about `bytes` bytes. */
function pageEnd(entries: readonly Entry[], start: number, bytes: number): number {
  let size = 0;
  let end = start;
  for (; end < entries.length && size < bytes; end++) {
    const { namespace = '', name = '' } = entries[end] ?? {};
    size += Buffer.byteLength(namespace) + Buffer.byteLength(name) + ENTRY_OVERHEAD;
  }
  return end;
}

/** Converts a fault to a rejection of one object. */
export function rejectionOf(key: ObjectKey, hash: string, { code, reason }: IntakeFault): ObjectRejection {
  return { key, hash, code, reason };
}

function shortened(rejection: ObjectRejection): ObjectRejection {
  return rejection.reason.length <= MAX_REASON
    ? rejection
    : { ...rejection, reason: rejection.reason.slice(0, MAX_REASON) };
}

/** Rejections among a batch's keys, as ids to leave out of the stored content. */
export function refusedIds(rejections: readonly ObjectRejection[]): Set<string> {
  return new Set(rejections.map(({ key }) => entryId(key)));
}
