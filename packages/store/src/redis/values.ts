/**
 * Encodes and decodes the content of sealed values. Decoded content is validated, although a trusted program sealed it.
 */
import { Buffer } from 'node:buffer';
import type { ObjectKey, ObjectKind, SnapshotVersion, StoredObject } from '../snapshot.ts';
import type { StoredVersion } from './stored-version.ts';

/** State of a kind in a cluster. */
export interface KindHead {
  readonly kind: ObjectKind;
  readonly announced: boolean;
  readonly synced: boolean;
  /** Over the names and hashes of all its objects. */
  readonly digest: string;
  /** Its non-empty index buckets. */
  readonly buckets: readonly number[];
}

/** A cluster's first value: names its other values, with their digests. */
export interface Head {
  /** The cluster was removed. */
  readonly removed: boolean;
  /**
   * The version that all its data belongs to; null for none. Servers that omit it only write compared states, as far as
   * they know.
   */
  readonly compared?: SnapshotVersion | null;
  readonly kinds: readonly KindHead[];
}

/** `namespace/name` and hash of each object in a bucket. */
export type IndexEntries = readonly (readonly [id: string, hash: string])[];

/** Changes of one kind. */
export interface KindStep {
  readonly kind: ObjectKind;
  readonly announced: boolean;
  readonly synced: boolean;
  /** Digest of all its objects after the step: with it a follower detects that its own earlier state differed. */
  readonly digest: string;
  readonly upserts: readonly StoredObject[];
  readonly deletes: readonly ObjectKey[];
}

/**
 * An entry of the stream.
 * - `step`: these changes lead from `before` to the step's version.
 * - `moved`: a newer version exists; read it.
 * - `said`: present announcements of a replica, by topic; null withdraws one.
 * - `wanted`: a replica found corrupt values; a replica with the data rewrites them.
 */
export type Step = { readonly from: string; readonly cluster: string; readonly version: StoredVersion } & (
  | {
      readonly type: 'step';
      readonly before: StoredVersion;
      /** As in a head. */
      readonly compared?: SnapshotVersion | null;
      readonly kinds: readonly KindStep[];
      /** Number of fields of the contents after it. */
      readonly fields: number;
      /** Whether every deletion was observed. */
      readonly observed: boolean;
    }
  | { readonly type: 'moved' }
  | { readonly type: 'wanted' }
  | { readonly type: 'announced'; readonly words: ReadonlyArray<readonly [topic: string, body: string | null]> }
);

const LENGTH = 4;

/** The compared version that a head or a step gives, at this version. */
export function comparedAt(
  { compared }: Pick<Head, 'compared'>,
  { term, seq }: StoredVersion,
): SnapshotVersion | undefined {
  return compared === undefined ? { term, seq } : (compared ?? undefined);
}

export function writeHead(head: Head): Buffer {
  return json(head);
}

/** Undefined for an invalid head. */
export function readHead(bytes: Buffer): Head | undefined {
  const head = parse<Head>(bytes);
  if (!Array.isArray(head?.kinds) || typeof head.removed !== 'boolean' || !isCompared(head)) return undefined;
  return head.kinds.every((one) => isKind(one?.kind) && isText(one.digest) && Array.isArray(one.buckets))
    ? head
    : undefined;
}

export function writeIndex(entries: IndexEntries): Buffer {
  return json(entries);
}

/** Undefined for an invalid index. */
export function readIndex(bytes: Buffer): IndexEntries | undefined {
  const entries = parse<IndexEntries>(bytes);
  if (!Array.isArray(entries)) return undefined;
  return entries.every((entry) => Array.isArray(entry) && entry.length === 2 && entry.every(isText))
    ? (entries as IndexEntries)
    : undefined;
}

/** Bodies follow the text, one after the other, so that they need no escaping. */
export function writeStep(step: Step): Buffer {
  const bodies = step.type === 'step' ? step.kinds.flatMap(({ upserts }) => upserts.map(({ body }) => body)) : [];
  const text = json(step.type === 'step' ? { ...step, kinds: step.kinds.map(withoutBodies) } : step);
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(text.byteLength);
  return Buffer.concat([length, text, ...bodies]);
}

/** Replaces bodies by their lengths. */
function withoutBodies(step: KindStep): unknown {
  return { ...step, upserts: step.upserts.map((object) => ({ ...object, body: object.body.byteLength })) };
}

/** Undefined for an invalid step. */
export function readStep(bytes: Buffer): Step | undefined {
  if (bytes.byteLength < LENGTH) return undefined;
  let at = LENGTH + bytes.readUInt32BE();
  const step = parse<Step>(bytes.subarray(LENGTH, at));
  if (!isText(step?.from) || !isText(step.cluster) || typeof step.version?.seq !== 'number') return undefined;
  if (step.type === 'announced') return Array.isArray(step.words) && step.words.every(isWord) ? step : undefined;
  if (step.type !== 'step') return step.type === 'moved' || step.type === 'wanted' ? step : undefined;
  if (!Array.isArray(step.kinds) || typeof step.before?.seq !== 'number' || !isCompared(step)) return undefined;
  const kinds: KindStep[] = [];
  for (const kind of step.kinds) {
    if (!isKind(kind?.kind) || !Array.isArray(kind.upserts) || !Array.isArray(kind.deletes)) return undefined;
    const upserts: StoredObject[] = [];
    for (const object of kind.upserts) {
      const end = at + Number(object?.body);
      if (!(end >= at && end <= bytes.byteLength) || !isText(object.hash) || !isText(object.name)) return undefined;
      upserts.push({ ...object, body: Uint8Array.from(bytes.subarray(at, end)) });
      at = end;
    }
    kinds.push({ ...kind, upserts });
  }
  return { ...step, kinds };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function parse<T>(bytes: Buffer): T | undefined {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as T | null;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // sealed by a server and still not JSON: the caller reports it as corrupt
  }
}

function isCompared({ compared }: Pick<Head, 'compared'>): boolean {
  return compared == null || (Number.isSafeInteger(compared.term) && Number.isSafeInteger(compared.seq));
}

function isWord(word: unknown): boolean {
  return Array.isArray(word) && isText(word[0]) && (isText(word[1]) || word[1] === null);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isKind(kind: ObjectKind | undefined): boolean {
  return isText(kind?.group) && isText(kind.version) && isText(kind.kind);
}
