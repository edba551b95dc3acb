/**
 * Converts the messages of the generated code to those of this package. Checks that results have all fields, each in
 * its range.
 */
import { Buffer } from 'node:buffer';
import { RelayError } from '../errors.ts';
import type {
  Ack,
  ContentRequest,
  Delta,
  DeltaResult,
  Entry,
  Have,
  Heartbeat,
  Hello,
  ObjectRejection,
  RelayMessage,
  Reply,
  Upsert,
  VectorUpdate,
  Welcome,
  Window,
} from '../message.ts';
import { BUCKETS, DIGEST_BYTES } from '../object/digest.ts';
import type { ObjectKind } from '../object/envelope.ts';
import { HASH_BYTES, hashFromBytes } from '../object/hash.ts';
import { DELTA_RESULT_NUMBERS } from './to-wire.ts';
import type {
  WireEntry,
  WireEnvelope,
  WireInteger,
  WireKind,
  WireMessage,
  WireObjectRejection,
  WireWindow,
} from './wire.ts';

const NONE = new Uint8Array();
const DELTA_RESULTS = new Map(
  Object.entries(DELTA_RESULT_NUMBERS).map(([result, number]) => [number, result as DeltaResult]),
);

/** The oneof member that is set. @throws RelayError when no member is set or a field is invalid */
export function fromWire(wire: WireMessage): RelayMessage {
  const { hello, resume, kinds, welcome, contentRequest, have, delta, ack, resync, vector, heartbeat, move } = wire;
  if (delta) return deltaFromWire(delta);
  if (ack) return ackFromWire(ack);
  if (heartbeat) return heartbeatFromWire(heartbeat);
  if (contentRequest) return contentRequestFromWire(contentRequest);
  if (have) return haveFromWire(have);
  if (vector) return vectorFromWire(vector);
  if (resync) return { type: 'resync', kinds: (resync.kinds ?? []).map(kindFromWire), reason: resync.reason ?? '' };
  if (hello) return helloFromWire(hello);
  if (resume) return resumeFromWire(resume);
  if (kinds) return { type: 'kinds', kinds: (kinds.kinds ?? []).map(kindFromWire) };
  if (welcome) return welcomeFromWire(welcome);
  if (move) return { type: 'move', reason: move.reason ?? '', within: move.within ?? 0 };
  return invokeFromWire(wire);
}

function invokeFromWire({ call, cancel, grant, reply }: WireMessage): RelayMessage {
  if (call) {
    const { id, method = '', arguments: given = NONE, timeout = 0, credits = 0 } = call;
    return { type: 'call', id: integer(id, 'call.id'), method, arguments: new Uint8Array(given), timeout, credits };
  }
  if (reply) return replyFromWire(reply);
  if (cancel) return { type: 'cancel', id: integer(cancel.id, 'cancel.id') };
  if (grant) return { type: 'grant', id: integer(grant.id, 'grant.id'), credits: grant.credits ?? 0 };
  throw malformed('a message of unknown type; expected one that both sides announced as a capability');
}

function replyFromWire({ id, result = NONE, last = false, code = '', error = '' }: Present<'reply'>): Reply {
  const reply = { type: 'reply', id: integer(id, 'reply.id'), result: new Uint8Array(result) } as const;
  return code === '' ? { ...reply, last } : { ...reply, last: true, failure: { code, reason: error } };
}

function helloFromWire({
  cluster,
  term,
  kinds,
  capabilities,
  program,
  window,
  failedPlugins = [],
}: Present<'hello'>): Hello {
  return {
    type: 'hello',
    cluster: cluster ?? '',
    term: integer(term, 'hello.term'),
    kinds: (kinds ?? []).map(kindFromWire),
    capabilities: [...(capabilities ?? [])],
    program: program ?? '',
    ...(failedPlugins.length === 0 ? {} : { failedPlugins: [...failedPlugins] }),
    ...windowFromWire(window),
  };
}

function resumeFromWire(message: Present<'resume'>): Hello {
  const { kinds = NONE, content = NONE, vector = NONE, number: sent, ...head } = message;
  const number = integer(sent, 'resume.number');
  return {
    ...helloFromWire({ ...head, kinds: [] }),
    resume: {
      kinds: bytes(kinds, DIGEST_BYTES, 'resume.kinds'),
      ...(content.byteLength === 0 ? {} : { content: bytes(content, DIGEST_BYTES, 'resume.content') }),
      ...(vector.byteLength === 0 ? {} : { vector: bytes(vector, DIGEST_BYTES, 'resume.vector') }),
      ...(number === 0 ? {} : { number }),
    },
  };
}

function welcomeFromWire({ capabilities, window, resumed, complete, sendKinds }: Present<'welcome'>): Welcome {
  return {
    type: 'welcome',
    capabilities: [...(capabilities ?? [])],
    ...windowFromWire(window),
    ...(resumed === true ? { resumed } : {}),
    ...(complete === true ? { complete } : {}),
    ...(sendKinds === true ? { sendKinds } : {}),
  };
}

function heartbeatFromWire({ answered, lags = [] }: Present<'heartbeat'>): Heartbeat {
  const heartbeat = { type: 'heartbeat', answered: integer(answered, 'heartbeat.answered') } as const;
  if (lags.length === 0) return heartbeat;
  return {
    ...heartbeat,
    lags: lags.map(({ kind, entries = 0, age }) => ({
      kind: kindFromWire(kind),
      entries,
      age: integer(age, 'heartbeat.lags.age'),
    })),
  };
}

function windowFromWire(window: WireWindow | null | undefined): { readonly window?: Window } {
  return window ? { window: { deltas: window.deltas ?? 0, bytes: window.bytes ?? 0 } } : {};
}

function contentRequestFromWire({
  kind,
  round = 0,
  digest = NONE,
  buckets = NONE,
}: Present<'contentRequest'>): ContentRequest {
  const head = { type: 'contentRequest', kind: kindFromWire(kind), round } as const;
  if (buckets.byteLength === 0)
    return { ...head, ask: { digest: bytes(digest, DIGEST_BYTES, 'content_request.digest') } };
  const mask = Buffer.from(bytes(buckets, BUCKETS / 8, 'content_request.buckets'));
  return { ...head, ask: { buckets: mask.readBigUInt64LE() } };
}

function haveFromWire({
  kind,
  round = 0,
  same,
  bucketDigests = NONE,
  entries = [],
  last = false,
}: Present<'have'>): Have {
  const head = { type: 'have', kind: kindFromWire(kind), round } as const;
  if (same === true) return { ...head, answer: { same } };
  if (bucketDigests.byteLength > 0) {
    return { ...head, answer: { bucketDigests: bytes(bucketDigests, BUCKETS * DIGEST_BYTES, 'have.bucket_digests') } };
  }
  return { ...head, answer: { entries: entries.map(entryFromWire), last } };
}

function entryFromWire({ namespace = '', name = '', hash = NONE }: WireEntry): Entry {
  return { namespace, name, hash: hashFromBytes(bytes(hash, HASH_BYTES, 'entry.hash')) };
}

function deltaFromWire(wire: Present<'delta'>): Delta {
  const { number, kind, upserts = [], deletes = [], complete = false, oversized = [] } = wire;
  return {
    type: 'delta',
    number: integer(number, 'delta.number'),
    kind: kindFromWire(kind),
    upserts: upserts.map(upsertFromWire),
    deletes: deletes.map(({ namespace = '', name = '' }) => ({ namespace, name })),
    complete,
    ...(oversized.length === 0 ? {} : { oversized: oversized.map(rejectionFromWire) }),
  };
}

/**
 * A body that makes up most of its message stays a slice of it. Others are copied, since a slice keeps the whole
 * message alive as long as one of its objects.
 */
function keep(body: Uint8Array): Uint8Array {
  const isLargePart = body.byteLength * 2 > body.buffer.byteLength;
  return isLargePart ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : new Uint8Array(body);
}

function upsertFromWire({
  namespace = '',
  name = '',
  hash = NONE,
  body = NONE,
  total = 0,
  offset = 0,
}: WireEnvelope): Upsert {
  const upsert = {
    namespace,
    name,
    hash: hashFromBytes(bytes(hash, HASH_BYTES, 'envelope.hash')),
    body: keep(body),
  };
  return total === 0 ? upsert : { ...upsert, part: { total, offset } };
}

function ackFromWire({ number, result = 0, refused = [], behind = [] }: Present<'ack'>): Ack {
  const known = DELTA_RESULTS.get(result as 1 | 2 | 3);
  if (known === undefined) throw malformed(`ack.result is ${result}, which is not defined`);
  return {
    type: 'ack',
    number: integer(number, 'ack.number'),
    result: known,
    refused: refused.map(rejectionFromWire),
    behind: [...behind],
  };
}

function rejectionFromWire(wire: WireObjectRejection): ObjectRejection {
  const { kind, namespace = '', name = '', hash = NONE, code = '', reason = '' } = wire;
  return {
    key: { ...kindFromWire(kind), namespace, name },
    // A rejected delete has no hash.
    hash: hash.byteLength === 0 ? '' : hashFromBytes(bytes(hash, HASH_BYTES, 'rejection.hash')),
    code,
    reason,
  };
}

function vectorFromWire({ full = false, components = [], last = false }: Present<'vector'>): VectorUpdate {
  return {
    type: 'vector',
    full,
    components: components.map(({ name = '', term, seq, gone = false }) => ({
      name,
      version: gone ? 'gone' : { term: integer(term, 'component.term'), seq: integer(seq, 'component.seq') },
    })),
    last,
  };
}

function kindFromWire(kind: WireKind | null | undefined): ObjectKind {
  return { group: kind?.group ?? '', version: kind?.version ?? '', kind: kind?.kind ?? '' };
}

function integer(value: WireInteger | undefined, field: string): number {
  const number = typeof value === 'object' ? value.toNumber() : (value ?? 0);
  if (!Number.isSafeInteger(number) || number < 0) throw malformed(`${field} is out of range; expected 0 to 2^53 - 1`);
  return number;
}

function bytes(value: Uint8Array, length: number, field: string): Uint8Array {
  if (value.byteLength !== length) throw malformed(`${field} has ${value.byteLength} bytes, expected ${length}`);
  return value;
}

function malformed(message: string): RelayError {
  return new RelayError('RELAY_E_PROTOCOL', message);
}

type Present<K extends keyof WireMessage> = NonNullable<WireMessage[K]>;
