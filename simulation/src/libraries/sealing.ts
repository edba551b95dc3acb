/**
 * Replaces Node's compression and authenticated encryption for the snapshot store. Sealed data stays plain, with a tag
 * that names the key and the bound data. The simulation has no attacker, and creating ciphers and windows costs more
 * than a step of the fleet.
 */
import { Buffer } from 'node:buffer';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { crc32 } from 'node:zlib';

const TAG = 16;

/** Call it once, before importing Meshrelay. */
export function sealLightly(): void {
  const load = createRequire(import.meta.url);
  const crypto = load('node:crypto') as Record<string, unknown>;
  crypto['createCipheriv'] = (_: string, key: Uint8Array, iv: Uint8Array) => new LightSeal(key, iv);
  crypto['createDecipheriv'] = (_: string, key: Uint8Array, iv: Uint8Array) => new LightSeal(key, iv);
  const zlib = load('node:zlib') as Record<string, unknown>;
  zlib['deflateRawSync'] = (bytes: Uint8Array) => Buffer.from(bytes);
  zlib['inflateRawSync'] = inflate;
  zlib['gzipSync'] = zlib['deflateRawSync'];
  zlib['gunzipSync'] = inflate;
  syncBuiltinESMExports();
}

function inflate(bytes: Uint8Array, { maxOutputLength = Number.POSITIVE_INFINITY } = {}): Buffer {
  if (bytes.byteLength <= maxOutputLength) return Buffer.from(bytes);
  throw Object.assign(new RangeError('cannot create a Buffer that large'), { code: 'ERR_BUFFER_TOO_LARGE' });
}

/**
 * Both directions of one message. The tag is a checksum: the simulation has no forger, and the checksum detects any
 * flipped bit.
 */
class LightSeal {
  #sum: number;
  #expected: Buffer | undefined;

  constructor(key: Uint8Array, iv: Uint8Array) {
    this.#sum = crc32(iv, crc32(key));
  }

  setAAD(bound: Uint8Array): this {
    this.#sum = crc32(bound, (this.#sum ^ bound.byteLength) >>> 0);
    return this;
  }

  setAuthTag(tag: Uint8Array): this {
    this.#expected = Buffer.from(tag);
    return this;
  }

  update(bytes: Uint8Array): Buffer {
    this.#sum = crc32(bytes, this.#sum);
    return Buffer.from(bytes);
  }

  /** @throws Error if the tag differs, as the real one does */
  final(): Buffer {
    if (this.#expected !== undefined && !this.getAuthTag().equals(this.#expected))
      throw new Error('Unsupported state or unable to authenticate data');
    return Buffer.alloc(0);
  }

  getAuthTag(): Buffer {
    const tag = Buffer.alloc(TAG);
    tag.writeUInt32BE(this.#sum);
    return tag;
  }
}
