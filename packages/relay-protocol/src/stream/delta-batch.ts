/** Fills one delta with what is dirty of a kind, up to what a message holds; large objects go in parts. */
import { Buffer } from 'node:buffer';
import type { Refusal, Upsert } from '../message.ts';
import type { ContentIndex } from '../object/content-index.ts';
import { entryOf, type ObjectEnvelope } from '../object/envelope.ts';
import type { TableEntry } from '../object/object-table.ts';
import type { KindProgress } from './kind-progress.ts';

/** More in one message would only make the other end's event loop wait. */
const MAX_ENTRIES = 500;
/** Tags, lengths, hash and numbers of an entry in bytes, rounded up. */
const ENTRY_OVERHEAD = 64;

export interface DeltaBatch {
  readonly upserts: Upsert[];
  readonly deletes: Array<{ readonly namespace: string; readonly name: string }>;
  /** Ids of the entries in it. */
  readonly entries: string[];
  bytes: number;
}

/** What to do with an entry that does not fit as it is. */
export interface Overflow {
  /** It needs parts; the batch is empty, so they can begin at once. */
  large(envelope: ObjectEnvelope): void;
  /** It is larger than any receiver takes. */
  refuse(refusal: Refusal): void;
}

export interface BatchLimits {
  /** Bytes of content that fit into a message. */
  readonly payload: number;
  readonly objectBytes: number;
}

/** Takes entries out of `progress.dirty` until a message is full. */
export function fillBatch(
  progress: KindProgress,
  content: ContentIndex<TableEntry>,
  limits: BatchLimits,
  overflow: Overflow,
): DeltaBatch {
  const batch: DeltaBatch = { upserts: [], deletes: [], entries: [], bytes: 0 };
  for (const id of progress.dirty) {
    const envelope = content.get(progress.id, id)?.envelope;
    if (envelope !== undefined && envelope.body.byteLength > limits.objectBytes) {
      progress.dirty.delete(id);
      progress.unsendable.add(id);
      overflow.refuse(tooLarge(envelope, limits.objectBytes));
      continue;
    }
    const bytes = Buffer.byteLength(id) + ENTRY_OVERHEAD + (envelope?.body.byteLength ?? 0);
    if (batch.entries.length > 0 && (batch.bytes + bytes > limits.payload || batch.entries.length >= MAX_ENTRIES))
      break;
    progress.dirty.delete(id);
    if (envelope !== undefined && bytes > limits.payload) {
      overflow.large(envelope);
      break;
    }
    if (envelope === undefined) batch.deletes.push(entryOf(id));
    else batch.upserts.push(envelope);
    batch.entries.push(id);
    batch.bytes += bytes;
  }
  return batch;
}

/** Why an object does not travel at all. */
export function tooLarge(
  { group, version, kind, namespace, name, hash, body }: ObjectEnvelope,
  limit: number,
): Refusal {
  return {
    key: { group, version, kind, namespace, name },
    hash,
    code: 'OBJECT_TOO_LARGE',
    reason: `${kind} ${namespace}/${name} has ${body.byteLength} bytes, the relay carries ${limit}; make it smaller or split it`,
  };
}
