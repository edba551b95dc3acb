/**
 * Takes the place of Node's compression and authenticated encryption, as the snapshot store uses them: what is sealed is as it was, with a tag
 * that says who sealed it and what it is bound to. Nobody listens here; making ciphers and windows costs more than a step of the fleet.
 */
import { Buffer } from 'node:buffer';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { crc32 } from 'node:zlib';

const TAG = 16;

/** To be called once, before the product is imported. */
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

/** Both directions of one message. The tag is a checksum: nobody forges here, and any bit that turns shows. */
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

  /** @throws Error where the tag is another, as the real one does */
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
