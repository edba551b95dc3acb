/**
 * The snapshots in Redis over one connection: values are sealed when written, opened and verified when read.
 * Independent of the data in memory.
 */
import { Buffer } from 'node:buffer';
import type { RedisAnnouncement, RedisConnection } from './connection.ts';
import { type RedisLayout, STEP_FIELD, wordField } from './layout.ts';
import {
  ANNOUNCE,
  BEAT,
  CLEAR,
  COMMIT,
  FETCH,
  FIELDS,
  FORGET,
  OVERSIZED,
  type RedisScript,
  SAY,
  SURVEY,
  TIP,
  UPLOAD,
} from './scripts.ts';
import type { Corruption, Sealer, SealLocation } from './seal.ts';
import type { RedisLimits } from './settings.ts';
import { NEVER, type StoredVersion, versionText } from './stored-version.ts';
import { type Head, readHead, readStep, type Step, writeHead, writeStep } from './values.ts';

/** Metadata of a cluster in Redis, without its contents. */
export interface Surveyed {
  readonly cluster: string;
  /** Version of its head as unverified text. */
  readonly version: string;
  /** Number of fields of its contents; -1 if they have another type. */
  readonly fields: number;
}

/** A head as read; a write must expect `version`. */
export type FoundHead =
  | { readonly state: 'none' }
  | { readonly state: 'damaged'; readonly version: string; readonly corruption: Corruption }
  | { readonly state: 'known'; readonly version: StoredVersion; readonly head: Head };

/** Result of reading a value. */
export type FoundValue =
  | { readonly state: 'none' }
  | { readonly state: 'damaged'; readonly corruption: Corruption }
  | { readonly state: 'known'; readonly bytes: Buffer };

/** Fields with their values, for a write. */
export interface SealedField {
  readonly field: string;
  readonly value: Buffer;
}

/** A new state of a cluster to write. */
export interface SealedState {
  readonly cluster: string;
  readonly version: StoredVersion;
  /** The expected present version, as text; '' for none. */
  readonly expected: string;
  /** `whole` replaces everything, `patch` changes contents that must exist, `first` adds to contents that may exist. */
  readonly mode: 'whole' | 'patch' | 'first';
  readonly head: Head;
  readonly fields: readonly SealedField[];
  readonly deletes: readonly string[];
  /** Undefined if the stream needs no entry. */
  readonly step: Step | undefined;
}

/** `gone`: the version exists, its contents do not. */
export type Committed =
  | { readonly result: 'ok' }
  | { readonly result: 'gone' }
  | { readonly result: 'overtaken'; readonly there: string };

/** An entry of the stream. */
export interface FoundStep {
  readonly id: string;
  readonly step: Step | { readonly type: 'damaged'; readonly corruption: Corruption };
}

/** Limit on replicas and on their announcements; a larger number is not legitimate. */
const MAX_REPLICAS = 1_000;
const MAX_WORDS = 50_000;
/** Fields per read. */
const FETCHED_FIELDS = 256;
const FETCHED_BYTES = 16 * 1024 * 1024;
/** Stream entries per read. */
export const STEPS_AT_ONCE = 128;

export interface RemoteOptions {
  readonly connection: RedisConnection;
  readonly layout: RedisLayout;
  readonly sealer: Sealer;
  readonly limits: RedisLimits;
}

/** Every method rejects with Redis' message if a command fails. */
export class RemoteSnapshots {
  readonly #options: RemoteOptions;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /** Every cluster in Redis. */
  async survey(): Promise<readonly Surveyed[]> {
    const { layout, limits } = this.#options;
    const found = await this.#run(SURVEY, [layout.heads], [layout.contents, limits.value, limits.clusters]);
    const parts = found as (Buffer | number)[];
    return Array.from({ length: parts.length / 3 }, (_, at) => ({
      cluster: String(parts[3 * at]),
      version: String(parts[3 * at + 1]),
      fields: Number(parts[3 * at + 2]),
    }));
  }

  async head(cluster: string): Promise<FoundHead> {
    const { layout, sealer } = this.#options;
    const [raw] = await this.#fetch(layout.heads, [cluster]);
    if (raw === undefined || raw === null) return { state: 'none' };
    if (typeof raw === 'number')
      return { state: 'damaged', version: OVERSIZED, corruption: raw === -1 ? 'type' : 'size' };
    const version = raw.toString('latin1', 0, versionText({ life: 0, term: 0, seq: 0 }).length);
    const opened = sealer.open(headPlace(cluster), raw);
    if (!opened.ok) return { state: 'damaged', version, corruption: opened.corruption };
    const head = readHead(opened.bytes);
    if (head === undefined) return { state: 'damaged', version, corruption: 'format' };
    return { state: 'known', version: opened.version, head };
  }

  /** Values of a cluster's contents, in the order of `fields`. */
  async values(cluster: string, kind: SealLocation['kind'], fields: readonly string[]): Promise<readonly FoundValue[]> {
    const raws = await this.#fetch(`${this.#options.layout.contents}${cluster}`, fields);
    return fields.map((field, at) => this.#opened({ cluster, kind, key: field }, raws[at]));
  }

  /** Seals one value of a cluster's contents. */
  sealed(
    cluster: string,
    kind: SealLocation['kind'],
    field: string,
    version: StoredVersion,
    bytes: Uint8Array,
  ): SealedField {
    return { field, value: this.#options.sealer.seal({ cluster, kind, key: field }, version, bytes) };
  }

  /** Writes a small state at once; otherwise first the values and then the head that makes them effective. */
  async commit(state: SealedState): Promise<Committed> {
    const { layout, limits, sealer } = this.#options;
    const { cluster, version, head, deletes, step } = state;
    const contents = `${layout.contents}${cluster}`;
    let { expected, mode } = state;
    const parts = portions(state.fields, limits.write);
    if (parts.length > 1 && mode === 'whole') {
      const [done, there] = await this.#numbers(CLEAR, [layout.heads, contents], [cluster, expected, limits.value]);
      if (done !== 1) return { result: 'overtaken', there: String(there) };
      [expected, mode] = ['', 'first'];
    }
    for (const part of parts.slice(0, -1)) await this.#run(UPLOAD, [contents], pairs(part));
    const [result, there] = await this.#numbers(
      COMMIT,
      [layout.heads, contents, layout.changes],
      [
        cluster,
        expected,
        mode,
        limits.value,
        limits.steps,
        sealer.seal(headPlace(cluster), version, writeHead(head)),
        step === undefined ? '' : this.#sealedStep(step),
        deletes.length,
        ...deletes,
        ...pairs(parts.at(-1) ?? []),
      ],
    );
    if (result === 1) return { result: 'ok' };
    if (result === 2) return { result: 'gone' };
    return { result: 'overtaken', there: String(there) };
  }

  /** Adds an entry to the stream. */
  async announce(step: Step): Promise<void> {
    const { layout, limits } = this.#options;
    await this.#run(ANNOUNCE, [layout.changes], [limits.steps, this.#sealedStep(step)]);
  }

  /** Writes announcements of a replica, by topic; undefined withdraws one. */
  async broadcast(
    replica: string,
    words: ReadonlyArray<readonly [topic: string, body: string | undefined]>,
  ): Promise<void> {
    const { layout, limits, sealer } = this.#options;
    const step = { type: 'announced' as const, from: replica, cluster: '', version: NEVER };
    const said = words.map(([topic, body]) => [topic, body ?? null] as const);
    const fields = words.flatMap(([topic, body]) => {
      const field = wordField(replica, topic);
      return [field, body === undefined ? '' : sealer.seal(wordPlace(field), NEVER, Buffer.from(body))];
    });
    const sent = this.#sealedStep({ ...step, words: said });
    await this.#run(SAY, [layout.words, layout.changes], [limits.steps, sent, ...fields]);
  }

  /**
   * Sends the heartbeat of a replica. @returns whether its announcements still exist, and the heartbeat count of each
   * replica
   */
  async beat(replica: string): Promise<{ readonly cached: boolean; readonly counts: Map<string, string> }> {
    const { layout } = this.#options;
    const words = [replica, MAX_REPLICAS, wordField(replica, '')];
    const [there, ...flat] = (await this.#run(BEAT, [layout.replicas, layout.words], words)) as unknown[];
    const counts = new Map<string, string>();
    for (let at = 0; at + 1 < flat.length; at += 2) counts.set(String(flat[at]), String(flat[at + 1]));
    counts.delete(replica);
    return { cached: there === 1, counts };
  }

  /** All announcements of all replicas, without unreadable ones. */
  async words(): Promise<ReadonlyMap<string, ReadonlyArray<readonly [topic: string, body: string]>>> {
    const { layout } = this.#options;
    const fields = ((await this.#run(FIELDS, [layout.words], [MAX_WORDS])) as Buffer[]).map(String);
    const raws = await this.#fetch(layout.words, fields);
    const found = new Map<string, Array<readonly [string, string]>>();
    for (const [at, field] of fields.entries()) {
      const value = this.#opened(wordPlace(field), raws[at]);
      const bar = field.indexOf('|');
      if (value.state !== 'known' || bar === -1) continue;
      const replica = field.slice(0, bar);
      found.set(replica, [...(found.get(replica) ?? []), [field.slice(bar + 1), value.bytes.toString('utf8')]]);
    }
    return found;
  }

  /** Deletes a dead replica, and its announcements on these topics. */
  async forget(replica: string, topics: readonly string[]): Promise<void> {
    const { layout } = this.#options;
    const fields = topics.map((topic) => wordField(replica, topic));
    await this.#run(FORGET, [layout.replicas, layout.words], [replica, ...fields]);
  }

  /** Id of the stream's last entry. */
  async tip(): Promise<string> {
    return String(await this.#run(TIP, [this.#options.layout.changes], []));
  }

  /** Waits up to `timeoutMs` milliseconds for entries after `id`. */
  async stepsAfter(id: string, timeoutMs: number): Promise<readonly FoundStep[]> {
    const { connection, layout } = this.#options;
    const words = ['COUNT', STEPS_AT_ONCE, 'BLOCK', timeoutMs, 'STREAMS', layout.changes, id];
    const answer = (await connection.call('XREAD', words, 2 * timeoutMs)) as [[Buffer, [Buffer, Buffer[]][]]] | null;
    return (answer?.[0]?.[1] ?? []).map(([entry, pairs]) => ({ id: String(entry), step: this.#step(pairs) }));
  }

  #step(fields: readonly Buffer[]): FoundStep['step'] {
    const value = fields[fields.findIndex((field, at) => at % 2 === 0 && String(field) === STEP_FIELD) + 1];
    if (fields.length < 2 || value === undefined) return { type: 'damaged', corruption: 'format' };
    const opened = this.#options.sealer.open(STEP_PLACE, value);
    if (!opened.ok) return { type: 'damaged', corruption: opened.corruption };
    return readStep(opened.bytes) ?? { type: 'damaged', corruption: 'format' };
  }

  #sealedStep(step: Step): Buffer {
    return this.#options.sealer.seal(STEP_PLACE, step.version, writeStep(step));
  }

  #opened(place: SealLocation, raw: Raw): FoundValue {
    if (raw === undefined || raw === null) return { state: 'none' };
    if (typeof raw === 'number') return { state: 'damaged', corruption: raw === -1 ? 'type' : 'size' };
    const opened = this.#options.sealer.open(place, raw);
    return opened.ok ? { state: 'known', bytes: opened.bytes } : { state: 'damaged', corruption: opened.corruption };
  }

  /** In the order of the fields; in as many reads as needed. */
  async #fetch(key: string, fields: readonly string[]): Promise<readonly Raw[]> {
    const { limits } = this.#options;
    const found: Raw[] = [];
    while (found.length < fields.length) {
      const requested = fields.slice(found.length, found.length + FETCHED_FIELDS);
      const answer = (await this.#run(FETCH, [key], [limits.value, FETCHED_BYTES, ...requested])) as Raw[];
      if (answer[0] === -1 || answer.length === 0) return fields.map(() => -1);
      found.push(...answer);
    }
    return found;
  }

  async #numbers(
    script: RedisScript,
    keys: readonly string[],
    words: readonly RedisAnnouncement[],
  ): Promise<unknown[]> {
    return (await this.#run(script, keys, words)) as unknown[];
  }

  /** Runs a script by its hash if Redis has it, as it does until a restart; otherwise sends the source. */
  async #run(script: RedisScript, keys: readonly string[], words: readonly RedisAnnouncement[]): Promise<unknown> {
    const { connection } = this.#options;
    const rest = [keys.length, ...keys, ...words];
    try {
      return await connection.call('EVALSHA', [script.sha, ...rest]);
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return connection.call('EVAL', [script.text, ...rest]);
    }
  }
}

type Raw = Buffer | number | null | undefined;

/** Entries of the stream contain the name of their cluster. */
const STEP_PLACE: SealLocation = { cluster: '', kind: 'step', key: '' };

function wordPlace(field: string): SealLocation {
  return { cluster: '', kind: 'word', key: field };
}

function headPlace(cluster: string): SealLocation {
  return { cluster, kind: 'head', key: cluster };
}

function pairs(fields: readonly SealedField[]): RedisAnnouncement[] {
  return fields.flatMap(({ field, value }) => [field, value]);
}

/** Splits fields so that no write exceeds the given bytes. */
function portions(fields: readonly SealedField[], bytes: number): SealedField[][] {
  const parts: SealedField[][] = [[]];
  let size = 0;
  for (const one of fields) {
    const weight = one.value.byteLength + one.field.length;
    if (size + weight > bytes && parts.at(-1)?.length !== 0) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(one);
    size += weight;
  }
  return parts;
}
