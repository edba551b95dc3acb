/** The generated code's messages in our words, checked: what comes out of here has all its fields, in their ranges. */
import { Buffer } from 'node:buffer';
import { RelayError } from '../errors.ts';
import type {
  Ack,
  Delta,
  Entry,
  Have,
  Hello,
  RelayMessage,
  Upsert,
  VectorUpdate,
  Verdict,
  Want,
  Window,
} from '../message.ts';
import { BUCKETS, DIGEST_BYTES } from '../object/digest.ts';
import type { ObjectKind } from '../object/envelope.ts';
import { HASH_BYTES, hashFromBytes } from '../object/hash.ts';
import { VERDICT_NUMBERS } from './to-wire.ts';
import type { WireEntry, WireEnvelope, WireInteger, WireKind, WireMessage, WireWindow } from './wire.ts';

const NONE = new Uint8Array();
const VERDICTS = new Map(Object.entries(VERDICT_NUMBERS).map(([verdict, number]) => [number, verdict as Verdict]));

/** The member of the oneof that a message is. @throws RelayError when there is none, or a field is not what it should be. */
export function fromWire(wire: WireMessage): RelayMessage {
  const { hello, welcome, want, have, delta, ack, resync, vector, heartbeat } = wire;
  if (delta) return deltaFromWire(delta);
  if (ack) return ackFromWire(ack);
  if (want) return wantFromWire(want);
  if (have) return haveFromWire(have);
  if (vector) return vectorFromWire(vector);
  if (heartbeat) return { type: 'heartbeat', answered: integer(heartbeat.answered, 'heartbeat.answered') };
  if (resync) return { type: 'resync', kinds: (resync.kinds ?? []).map(kindFromWire), reason: resync.reason ?? '' };
  if (hello) return helloFromWire(hello);
  if (welcome)
    return { type: 'welcome', capabilities: [...(welcome.capabilities ?? [])], ...windowFromWire(welcome.window) };
  throw malformed('a message of no known type; expected one that both sides announced as a capability');
}

function helloFromWire({ cluster, term, kinds, capabilities, program, window }: Present<'hello'>): Hello {
  return {
    type: 'hello',
    cluster: cluster ?? '',
    term: integer(term, 'hello.term'),
    kinds: (kinds ?? []).map(kindFromWire),
    capabilities: [...(capabilities ?? [])],
    program: program ?? '',
    ...windowFromWire(window),
  };
}

function windowFromWire(window: WireWindow | null | undefined): { readonly window?: Window } {
  return window ? { window: { deltas: window.deltas ?? 0, bytes: window.bytes ?? 0 } } : {};
}

function wantFromWire({ kind, round = 0, digest = NONE, buckets = NONE }: Present<'want'>): Want {
  const head = { type: 'want', kind: kindFromWire(kind), round } as const;
  if (buckets.byteLength === 0) return { ...head, ask: { digest: bytes(digest, DIGEST_BYTES, 'want.digest') } };
  const mask = Buffer.from(bytes(buckets, BUCKETS / 8, 'want.buckets'));
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

function deltaFromWire({ number, kind, upserts = [], deletes = [], complete = false }: Present<'delta'>): Delta {
  return {
    type: 'delta',
    number: integer(number, 'delta.number'),
    kind: kindFromWire(kind),
    upserts: upserts.map(upsertFromWire),
    deletes: deletes.map(({ namespace = '', name = '' }) => ({ namespace, name })),
    complete,
  };
}

/** Bodies are copied: a slice would keep the whole message alive as long as one of its objects. */
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
    body: new Uint8Array(body),
  };
  return total === 0 ? upsert : { ...upsert, part: { total, offset } };
}

function ackFromWire({ number, verdict = 0, refused = [], behind = [] }: Present<'ack'>): Ack {
  const known = VERDICTS.get(verdict as 1 | 2 | 3);
  if (known === undefined) throw malformed(`ack.verdict is ${verdict}, which means nothing`);
  return {
    type: 'ack',
    number: integer(number, 'ack.number'),
    verdict: known,
    refused: refused.map(({ kind, namespace = '', name = '', hash = NONE, code = '', reason = '' }) => ({
      key: { ...kindFromWire(kind), namespace, name },
      // A refused delete has none.
      hash: hash.byteLength === 0 ? '' : hashFromBytes(bytes(hash, HASH_BYTES, 'refusal.hash')),
      code,
      reason,
    })),
    behind: [...behind],
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
