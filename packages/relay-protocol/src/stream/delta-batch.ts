/** Fills one delta with the dirty entries of a kind, up to the message limit; large objects are split into parts. */
import { Buffer } from 'node:buffer';
import type { ObjectRejection, Upsert } from '../message.ts';
import type { ContentIndex } from '../object/content-index.ts';
import { entryOf, type ObjectEnvelope } from '../object/envelope.ts';
import type { TableEntry } from '../object/object-table.ts';
import type { KindSyncState } from './kind-sync-state.ts';

/** More entries in one message would only block the event loop of the other end. */
const MAX_ENTRIES = 500;
/** From this size in bytes an object is sent alone: the receiver can keep the message as it arrived, without a copy. */
const SINGLE_BYTES = 64 * 1024;
/** Tags, lengths, hash and numbers of an entry in bytes, rounded up. */
const ENTRY_OVERHEAD = 64;
/** Bytes of an entry for an object that is not sent, rounded up. */
const OVERSIZED_BYTES = 1024;

export interface DeltaBatch {
  readonly upserts: Upsert[];
  /** Objects that are too large for any receiver. */
  readonly oversized: ObjectRejection[];
  readonly deletes: Array<{ readonly namespace: string; readonly name: string }>;
  /** Ids of its entries. */
  readonly entries: string[];
  bytes: number;
  /** Time of the oldest change. */
  since: number;
  /** An object that needs parts; the batch is empty otherwise. */
  large?: ObjectEnvelope;
}

export interface BatchLimits {
  /** Content bytes that fit into a message. */
  readonly payload: number;
  readonly objectBytes: number;
}

/** Takes entries from `progress.dirty` until a message is full. */
export function fillBatch(
  progress: KindSyncState,
  content: ContentIndex<TableEntry>,
  { payload, objectBytes }: BatchLimits,
): DeltaBatch {
  const batch = emptyBatch();
  for (const [id, since] of progress.dirty) {
    const { envelope, bytes: size = 0 } = content.get(progress.id, id) ?? {};
    const isOversized = size > objectBytes;
    const bytes = Buffer.byteLength(id) + ENTRY_OVERHEAD + (isOversized ? OVERSIZED_BYTES : size);
    const isSingle = bytes >= SINGLE_BYTES || batch.bytes >= SINGLE_BYTES * batch.entries.length;
    const isFull = batch.bytes + bytes > payload || batch.entries.length >= MAX_ENTRIES;
    if (batch.entries.length > 0 && (isSingle || isFull)) break;
    progress.dirty.delete(id);
    batch.since = Math.min(batch.since, since);
    if (envelope !== undefined && !isOversized && bytes > payload) {
      batch.large = envelope;
      break;
    }
    if (envelope === undefined) batch.deletes.push(entryOf(id));
    else if (isOversized) {
      progress.unsendable.add(id);
      batch.oversized.push(tooLarge(envelope, objectBytes));
    } else batch.upserts.push(envelope);
    batch.entries.push(id);
    batch.bytes += bytes;
  }
  return batch;
}

export function emptyBatch(): DeltaBatch {
  return { upserts: [], oversized: [], deletes: [], entries: [], bytes: 0, since: Number.POSITIVE_INFINITY };
}

/** Why an object cannot be sent. */
function tooLarge(
  { group, version, kind, namespace, name, hash, body }: ObjectEnvelope,
  limit: number,
): ObjectRejection {
  return {
    key: { group, version, kind, namespace, name },
    hash,
    code: 'OBJECT_TOO_LARGE',
    reason: `${kind} ${namespace}/${name} has ${body.byteLength} bytes, and the limit of the relay is ${limit}; make it smaller or split it`,
  };
}
