/**
 * Takes the place of Node's compression and authenticated encryption, as the snapshot store uses them: what is sealed is as it was, with a tag
 * that says who sealed it and what it is bound to. Nobody listens here; making ciphers and windows costs more than a step of the fleet.
 */
import { Buffer } from 'node:buffer';
import { createRequire, syncBuiltinESMExports } from 'node:module';

type Digest = (algorithm: string, bytes: Uint8Array, encoding: 'buffer') => Buffer;

const TAG = 16;

/** To be called once, before the product is imported. */
export function sealLightly(): void {
  const load = createRequire(import.meta.url);
  const crypto = load('node:crypto') as Record<string, unknown> & { readonly hash: Digest };
  const { hash } = crypto;
  crypto['createCipheriv'] = (_: string, key: Uint8Array, iv: Uint8Array) => new LightSeal(hash, key, iv);
  crypto['createDecipheriv'] = (_: string, key: Uint8Array, iv: Uint8Array) => new LightSeal(hash, key, iv);
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

/** Both directions of one message. */
class LightSeal {
  readonly #hash: Digest;
  readonly #parts: Uint8Array[];
  #expected: Uint8Array | undefined;

  constructor(hash: Digest, key: Uint8Array, iv: Uint8Array) {
    this.#hash = hash;
    this.#parts = [key, iv];
  }

  setAAD(bound: Uint8Array): this {
    this.#parts.push(bound, Buffer.of(bound.byteLength & 0xff, bound.byteLength >> 8));
    return this;
  }

  setAuthTag(tag: Uint8Array): this {
    this.#expected = tag;
    return this;
  }

  update(bytes: Uint8Array): Buffer {
    this.#parts.push(bytes);
    return Buffer.from(bytes);
  }

  /** @throws Error where the tag is another, as the real one does */
  final(): Buffer {
    if (this.#expected !== undefined && !this.getAuthTag().equals(this.#expected))
      throw new Error('Unsupported state or unable to authenticate data');
    return Buffer.alloc(0);
  }

  getAuthTag(): Buffer {
    return this.#hash('sha256', Buffer.concat(this.#parts), 'buffer').subarray(0, TAG);
  }
}
