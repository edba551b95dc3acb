/**
 * Seals values for Redis and opens them: compressed, then AES-256-GCM, bound to their location. A client that can write
 * to Redis can lose values and replay a whole earlier state; it cannot forge, change or move a value.
 */
import { Buffer } from 'node:buffer';
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { RedisLimits } from './settings.ts';
import { readVersion, type StoredVersion, VERSION_LENGTH, versionText } from './stored-version.ts';

/** Location of a value. It opens nowhere else. */
export interface SealLocation {
  readonly cluster: string;
  readonly kind: 'head' | 'index' | 'object' | 'step' | 'word';
  /** Identifies the value within its kind. */
  readonly key: string;
}

/**
 * Why a value is corrupt.
 * - `size`: too large, stored or inflated.
 * - `key`: sealed with an unknown key.
 * - `schema`: written in another format version.
 * - `seal`: changed, moved, or forged.
 * - `format`: sealed, but not valid at this location.
 * - `type`: Redis has a key of another type under the name.
 * - `lost`: absent, though it should exist.
 * - `stale`: sealed, but of another version than the value that names it.
 */
export type Corruption = 'size' | 'key' | 'schema' | 'seal' | 'format' | 'type' | 'lost' | 'stale';

/** An opened value, or the reason why it was rejected. */
export type Opened =
  | { readonly ok: true; readonly version: StoredVersion; readonly bytes: Buffer }
  | { readonly ok: false; readonly corruption: Corruption };

/** Format version of values. Values with another number are not parsed. */
const SCHEMA = 1;
const COMPRESSED = 1;
/** Smaller values do not get smaller by compression. */
const WORTH_COMPRESSING = 128;
const KEY_ID = 4;
const SALT = 16;
const IV = 12;
const TAG = 16;
const HEADER: number = VERSION_LENGTH + 2 + KEY_ID + SALT + IV;
/** Required length of a key in bytes. */
export const STORE_KEY_BYTES = 32;
/** Maximum number of cached derived keys of other processes: an attacker can invent salts. */
const STORED_KEYS = 256;

interface MasterKey {
  readonly id: Buffer;
  readonly key: Uint8Array;
}

export class Sealer {
  readonly #prefix: string;
  readonly #limits: Pick<RedisLimits, 'value' | 'inflated'>;
  #keys: readonly [MasterKey, ...MasterKey[]];
  readonly #derived = new Map<string, Buffer>();
  /** Each process has its own key, so a counter never repeats under one key. */
  readonly #salt = randomBytes(SALT);
  #own: Buffer;
  #count = 0n;

  /**
   * @param keys the first seals; the others only open, while keys are changed. @throws RangeError for a key of another
   * length
   */
  constructor(prefix: string, keys: readonly Uint8Array[], limits: Pick<RedisLimits, 'value' | 'inflated'>) {
    this.#prefix = prefix;
    this.#limits = limits;
    this.#keys = masterKeys(keys);
    this.#own = derive(this.#keys[0], this.#salt);
  }

  /**
   * Sets other keys from the next value on, as in the constructor. @throws RangeError; then the old keys stay in use
   */
  rekey(keys: readonly Uint8Array[]): void {
    this.#keys = masterKeys(keys);
    this.#own = derive(this.#keys[0], this.#salt);
    this.#derived.clear();
  }

  seal(place: SealLocation, version: StoredVersion, bytes: Uint8Array): Buffer {
    const compress = bytes.byteLength >= WORTH_COMPRESSING;
    const iv = Buffer.alloc(IV);
    iv.writeBigUInt64BE(this.#count++, IV - 8);
    const flags = Buffer.from([SCHEMA, compress ? COMPRESSED : 0]);
    const header = Buffer.concat([Buffer.from(versionText(version)), flags, this.#keys[0].id, this.#salt, iv]);
    const cipher = createCipheriv('aes-256-gcm', this.#own, iv);
    cipher.setAAD(this.#boundTo(place, header));
    const body = cipher.update(compress ? deflateRawSync(bytes, { level: 1 }) : bytes);
    return Buffer.concat([header, body, cipher.final(), cipher.getAuthTag()]);
  }

  open(place: SealLocation, value: Uint8Array): Opened {
    if (value.byteLength > this.#limits.value) return corrupt('size');
    if (value.byteLength < HEADER + TAG) return corrupt('format');
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const header = bytes.subarray(0, HEADER);
    const version = readVersion(header.toString('latin1', 0, VERSION_LENGTH));
    if (version === undefined) return corrupt('format');
    if (header[VERSION_LENGTH] !== SCHEMA) return corrupt('schema');
    const key = this.#keyOf(header);
    if (key === undefined) return corrupt('key');
    const plain = this.#decrypt(key, this.#boundTo(place, header), bytes);
    if (plain === undefined) return corrupt('seal');
    if ((header[VERSION_LENGTH + 1] ?? 0) !== COMPRESSED) return { ok: true, version, bytes: plain };
    const inflated = this.#inflate(plain);
    return inflated === undefined ? corrupt('size') : { ok: true, version, bytes: inflated };
  }

  #decrypt(key: Buffer, bound: Buffer, value: Buffer): Buffer | undefined {
    const decipher = createDecipheriv('aes-256-gcm', key, value.subarray(HEADER - IV, HEADER), { authTagLength: TAG });
    decipher.setAAD(bound);
    decipher.setAuthTag(value.subarray(-TAG));
    const plain = decipher.update(value.subarray(HEADER, -TAG));
    try {
      decipher.final();
      return plain;
    } catch {
      return undefined; // GCM has no other failure than this one
    }
  }

  /** Undefined if the limit is exceeded: it applies while inflating, so memory never holds more. */
  #inflate(bytes: Buffer): Buffer | undefined {
    try {
      return inflateRawSync(bytes, { maxOutputLength: this.#limits.inflated });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
      throw error;
    }
  }

  #keyOf(header: Buffer): Buffer | undefined {
    const id = header.subarray(VERSION_LENGTH + 2, VERSION_LENGTH + 2 + KEY_ID);
    const salt = header.subarray(HEADER - IV - SALT, HEADER - IV);
    const master = this.#keys.find((one) => one.id.equals(id));
    if (master === undefined) return undefined;
    const name = Buffer.concat([id, salt]).toString('latin1');
    const known = this.#derived.get(name);
    if (known !== undefined) return known;
    if (this.#derived.size >= STORED_KEYS) this.#derived.clear();
    const key = derive(master, salt);
    this.#derived.set(name, key);
    return key;
  }

  /** Everything that a value is bound to; the header has its version, schema and key. */
  #boundTo({ cluster, kind, key }: SealLocation, header: Buffer): Buffer {
    return Buffer.concat([Buffer.from(JSON.stringify([this.#prefix, cluster, kind, key])), header]);
  }
}

function masterKeys(keys: readonly Uint8Array[]): [MasterKey, ...MasterKey[]] {
  const [first, ...others] = keys.map(masterKey);
  if (first === undefined) throw new RangeError('no key to seal with');
  return [first, ...others];
}

function masterKey(key: Uint8Array): MasterKey {
  if (key.byteLength !== STORE_KEY_BYTES)
    throw new RangeError(`a store key has ${STORE_KEY_BYTES} bytes, not ${key.byteLength}`);
  const id = hash('sha256', Buffer.concat([Buffer.from('meshrelay store key id\0'), key]), 'buffer');
  return { id: id.subarray(0, KEY_ID), key };
}

function derive({ key }: MasterKey, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, 'meshrelay store value', STORE_KEY_BYTES));
}

function corrupt(corruption: Corruption): Opened {
  return { ok: false, corruption };
}
