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
}

/** What an entry takes in a message beside its name, in bytes, rounded up. */
const ENTRY_OVERHEAD = 32;
/** A reason is told in this many characters: the answer to a full delta must fit into a message, even if all of it was refused. */
const MAX_REASON = 512;

type Answer = Ack | Have | Resync;

export class DeltaReceiver {
  readonly #holdings: ContentIndex;
  readonly #limits: RelayLimits;
  readonly #assembler: Assembler;
  readonly #ready: () => void;
  readonly #answers: Answer[] = [];
  /** Lists being told, by kind: a new question about a kind ends the list before it. */
  readonly #lists = new Map<string, Iterator<Have>>();
  #unanswered = 0;

  constructor(holdings: ContentIndex, limits: RelayLimits, ready: () => void) {
    this.#holdings = holdings;
    this.#limits = limits;
    this.#assembler = new Assembler(limits);
    this.#ready = ready;
  }

  /** Puts together and checks a delta. @throws RelayError when the peer ignores its window or parts do not fit. */
  check({ number, kind, upserts, deletes }: Delta): CheckedDelta {
    this.#unanswered++;
    if (this.#unanswered > this.#limits.windowDeltas) {
      throw new RelayError(
        'RELAY_E_LIMIT',
        `more than ${this.#limits.windowDeltas} deltas on the way without an answer`,
      );
    }
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
    return { number, upserts: passed, deletes: gone, refused };
  }

  answer(number: number, verdict: Verdict, refused: readonly Refusal[] = [], behind: readonly string[] = []): void {
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    this.#tell({ type: 'ack', number, verdict, refused: refused.map(shortened), behind });
  }

  /** A second answer to a delta that was held: it was taken now, or is to be sent again. */
  answerAgain(number: number, verdict: 'accepted' | 'stale', refused: readonly Refusal[] = []): void {
    this.#tell({ type: 'ack', number, verdict, refused: refused.map(shortened), behind: [] });
  }

  resync(reason: string, kinds: Resync['kinds'] = []): void {
    this.#tell({ type: 'resync', kinds, reason });
  }

  /** Answers a question about what is here. */
  tell({ kind, round, ask }: Want): void {
    const id = kindId(kind);
    this.#lists.delete(id);
    if ('buckets' in ask) {
      this.#lists.set(id, this.#list(kind, round, ask.buckets));
      this.#ready();
      return;
    }
    const same = Buffer.compare(this.#holdings.digest(id), ask.digest) === 0;
    const answer = same ? ({ same } as const) : { bucketDigests: this.#holdings.bucketDigests(id) };
    this.#tell({ type: 'have', kind, round, answer });
  }

  /** The next answer, if one is due. */
  next(): Answer | undefined {
    const answer = this.#answers.shift();
    if (answer !== undefined) return answer;
    for (const [id, list] of this.#lists) {
      const { value, done } = list.next();
      if (done !== true) return value;
      this.#lists.delete(id);
    }
    return undefined;
  }

  end(): void {
    this.#answers.length = 0;
    this.#lists.clear();
  }

  /** Takes the entries at once, since they change while they are being told; pages them as the transport has room. */
  *#list(kind: Want['kind'], round: number, mask: bigint): Generator<Have> {
    const entries = [...this.#holdings.listBuckets(kindId(kind), mask)];
    let told = 0;
    do {
      const end = pageEnd(entries, told, this.#limits.messageBytes / 2);
      const answer = { entries: entries.slice(told, end), last: end >= entries.length };
      told = end;
      yield { type: 'have', kind, round, answer };
    } while (told < entries.length);
  }

  #tell(answer: Answer): void {
    this.#answers.push(answer);
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
