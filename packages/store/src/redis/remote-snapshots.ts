/** The snapshots in Redis over one connection: sealed on the way in, opened and judged on the way out. Knows nothing of what is in memory. */
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

/** What Redis has of a cluster, without looking into it. */
export interface Surveyed {
  readonly cluster: string;
  /** Its head's version as text, whatever it may be. */
  readonly version: string;
  /** Fields of its contents; -1 where they are of another type. */
  readonly fields: number;
}

/** A head as it was read; `version` is what a write must expect to find. */
export type FoundHead =
  | { readonly state: 'none' }
  | { readonly state: 'damaged'; readonly version: string; readonly corruption: Corruption }
  | { readonly state: 'known'; readonly version: StoredVersion; readonly head: Head };

/** What came of a value that was asked for. */
export type FoundValue =
  | { readonly state: 'none' }
  | { readonly state: 'damaged'; readonly corruption: Corruption }
  | { readonly state: 'known'; readonly bytes: Buffer };

/** Fields with their values, for a write. */
export interface SealedField {
  readonly field: string;
  readonly value: Buffer;
}

/** A new state of a cluster, ready to be written. */
export interface SealedState {
  readonly cluster: string;
  readonly version: StoredVersion;
  /** The version that must be there, as text; '' for none. */
  readonly expected: string;
  /** `whole` takes the place of everything that is there, `patch` changes contents that must be there, `first` adds to what may be. */
  readonly mode: 'whole' | 'patch' | 'first';
  readonly head: Head;
  readonly fields: readonly SealedField[];
  readonly deletes: readonly string[];
  /** Undefined where the stream need not tell. */
  readonly step: Step | undefined;
}

/** `gone`: the version is there, what belongs to it is not. */
export type Committed =
  | { readonly result: 'ok' }
  | { readonly result: 'gone' }
  | { readonly result: 'overtaken'; readonly there: string };

/** An entry of the stream. */
export interface FoundStep {
  readonly id: string;
  readonly step: Step | { readonly type: 'damaged'; readonly corruption: Corruption };
}

/** More replicas, or words of theirs, than there can be are not ours. */
const MAX_REPLICAS = 1_000;
const MAX_WORDS = 50_000;
/** Fields asked for at once. */
const FETCHED_FIELDS = 256;
const FETCHED_BYTES = 16 * 1024 * 1024;
/** Entries of the stream taken at once. */
export const STEPS_AT_ONCE = 128;

export interface RemoteOptions {
  readonly connection: RedisConnection;
  readonly layout: RedisLayout;
  readonly sealer: Sealer;
  readonly limits: RedisLimits;
}

/** Every method rejects with Redis's words when Redis does not do what it is asked to. */
export class RemoteSnapshots {
  readonly #options: RemoteOptions;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /** Every cluster there is. */
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

  /** Values of a cluster's contents, in the order asked for. */
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

  /** Writes a state at once where that is not too much, else values first and then what makes them count. */
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

  /** Says something as a replica, by topic; undefined takes it back. */
  async broadcast(
    replica: string,
    words: ReadonlyArray<readonly [topic: string, body: string | undefined]>,
  ): Promise<void> {
    const { layout, limits, sealer } = this.#options;
    const step = { type: 'said' as const, from: replica, cluster: '', version: NEVER };
    const said = words.map(([topic, body]) => [topic, body ?? null] as const);
    const fields = words.flatMap(([topic, body]) => {
      const field = wordField(replica, topic);
      return [field, body === undefined ? '' : sealer.seal(wordPlace(field), NEVER, Buffer.from(body))];
    });
    const sent = this.#sealedStep({ ...step, words: said });
    await this.#run(SAY, [layout.words, layout.changes], [limits.steps, sent, ...fields]);
  }

  /** Says that a replica lives. @returns whether what it said is still there, and how often each replica has said that it lives */
  async beat(replica: string): Promise<{ readonly cached: boolean; readonly counts: Map<string, string> }> {
    const { layout } = this.#options;
    const words = [replica, MAX_REPLICAS, wordField(replica, '')];
    const [there, ...flat] = (await this.#run(BEAT, [layout.replicas, layout.words], words)) as unknown[];
    const counts = new Map<string, string>();
    for (let at = 0; at + 1 < flat.length; at += 2) counts.set(String(flat[at]), String(flat[at + 1]));
    counts.delete(replica);
    return { cached: there === 1, counts };
  }

  /** All that all replicas say. What cannot be read is left out. */
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

  /** Forgets a replica that is gone, and what it said on these topics. */
  async forget(replica: string, topics: readonly string[]): Promise<void> {
    const { layout } = this.#options;
    const fields = topics.map((topic) => wordField(replica, topic));
    await this.#run(FORGET, [layout.replicas, layout.words], [replica, ...fields]);
  }

  /** Where the stream ends now. */
  async tip(): Promise<string> {
    return String(await this.#run(TIP, [this.#options.layout.changes], []));
  }

  /** Waits up to `timeoutMs` milliseconds for entries after one. */
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

  /** In the order of the fields; in as many answers as it takes. */
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

  /** By its name where Redis knows the script, as it does until it is restarted; else whole. */
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

/** Entries of the stream say of which cluster they are, inside. */
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

/** Cut where the bytes of a write would be passed. */
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
