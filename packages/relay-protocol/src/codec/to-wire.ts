/** Converts the messages of this package to those of the generated code. */
import { Buffer } from 'node:buffer';
import type {
  Ack,
  ContentRequest,
  Delta,
  Have,
  Hello,
  ObjectRejection,
  RelayMessage,
  Reply,
  Upsert,
  VectorUpdate,
} from '../message.ts';
import { hashToBytes } from '../object/hash.ts';
import type { WireEnvelope, WireMessage, WireObjectRejection } from './wire.ts';

export const DELTA_RESULT_NUMBERS = { accepted: 1, held: 2, stale: 3 } as const;

/** A message as its oneof member. */
export function toWire(message: RelayMessage): WireMessage {
  switch (message.type) {
    case 'hello':
      return helloToWire(message);
    case 'kinds':
      return { kinds: message };
    case 'welcome':
      return { welcome: message };
    case 'contentRequest':
      return { contentRequest: contentRequestToWire(message) };
    case 'have':
      return { have: haveToWire(message) };
    case 'delta':
      return { delta: deltaToWire(message) };
    case 'ack':
      return { ack: ackToWire(message) };
    case 'resync':
      return { resync: message };
    case 'vector':
      return { vector: vectorToWire(message) };
    case 'heartbeat':
      return { heartbeat: message };
    case 'move':
      return { move: message };
    case 'call':
      return { call: message };
    case 'cancel':
      return { cancel: message };
    case 'grant':
      return { grant: message };
    case 'reply':
      return { reply: replyToWire(message) };
  }
}

function helloToWire(message: Hello): WireMessage {
  const { cluster, term, capabilities, program, window = null, failedPlugins = [], resume } = message;
  return resume === undefined
    ? { hello: message }
    : { resume: { cluster, term, capabilities, program, window, failedPlugins, ...resume } };
}

function replyToWire({ id, result, last, failure }: Reply): NonNullable<WireMessage['reply']> {
  return failure === undefined ? { id, result, last } : { id, last, code: failure.code, error: failure.reason };
}

export function deltaToWire(delta: Delta): NonNullable<WireMessage['delta']> {
  const { number, kind, upserts, deletes, complete, oversized = [] } = delta;
  return {
    number,
    kind,
    upserts: upserts.map(upsertToWire),
    deletes,
    complete,
    oversized: oversized.map(rejectionToWire),
  };
}

function rejectionToWire({ key, hash, code, reason }: ObjectRejection): WireObjectRejection {
  return { kind: key, namespace: key.namespace, name: key.name, hash: hashToBytes(hash), code, reason };
}

function contentRequestToWire({ kind, round, ask }: ContentRequest): NonNullable<WireMessage['contentRequest']> {
  if ('digest' in ask) return { kind, round, digest: ask.digest };
  const buckets = Buffer.alloc(8);
  buckets.writeBigUInt64LE(ask.buckets);
  return { kind, round, buckets };
}

function haveToWire({ kind, round, answer }: Have): NonNullable<WireMessage['have']> {
  if ('same' in answer) return { kind, round, same: true };
  if ('bucketDigests' in answer) return { kind, round, bucketDigests: answer.bucketDigests };
  const entries = answer.entries.map(({ namespace, name, hash }) => ({ namespace, name, hash: hashToBytes(hash) }));
  return { kind, round, entries, last: answer.last };
}

export function upsertToWire({ namespace, name, hash, body, part }: Upsert): WireEnvelope {
  const envelope = { namespace, name, hash: hashToBytes(hash), body };
  return part === undefined ? envelope : { ...envelope, total: part.total, offset: part.offset };
}

function ackToWire({ number, result, refused, behind }: Ack): NonNullable<WireMessage['ack']> {
  return { number, result: DELTA_RESULT_NUMBERS[result], refused: refused.map(rejectionToWire), behind };
}

function vectorToWire({ full, components, last }: VectorUpdate): NonNullable<WireMessage['vector']> {
  return {
    full,
    components: components.map(({ name, version }) =>
      version === 'gone' ? { name, gone: true } : { name, term: version.term, seq: version.seq },
    ),
    last,
  };
}
