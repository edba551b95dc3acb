/**
 * Digests of sets of objects. Two sides use them to find differences without sending everything. They compare one
 * digest per kind, then 64 per kind for its buckets, then names and hashes of the buckets that differ. A digest is the
 * XOR of the digests of its entries, so each change updates it in constant time.
 */
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Entry } from '../message.ts';
import { entryId } from './envelope.ts';

export const BUCKETS = 64;
export const DIGEST_BYTES = 16;
const BUCKET_DIGEST_BYTES: number = BUCKETS * DIGEST_BYTES;

/** The bucket of an object, from 0 to 63: the low bits of FNV-1a over the UTF-8 of `namespace/name`. */
export function bucketOf(id: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) {
    const unit = id.charCodeAt(at);
    if (unit > 0x7f) return bucketOfBytes(Buffer.from(id, 'utf8'));
    sum = Math.imul(sum ^ unit, 0x01000193);
  }
  return fold(sum);
}

function bucketOfBytes(bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return fold(sum);
}

/** The low bits of FNV depend on few input bits; fold the high ones in. */
function fold(sum: number): number {
  return ((sum >>> 16) ^ (sum >>> 6) ^ sum) & (BUCKETS - 1);
}

/** Bucket digests of one kind, updated incrementally. */
export class BucketDigests {
  readonly #bytes = new Uint8Array(BUCKET_DIGEST_BYTES);

  /** Adds an entry, or removes it when present: XOR is its own inverse. */
  toggle(id: string, contentHash: string): void {
    const digest = entryDigest(id, contentHash);
    const start = bucketOf(id) * DIGEST_BYTES;
    for (let at = 0; at < DIGEST_BYTES; at++) {
      this.#bytes[start + at] = (this.#bytes[start + at] ?? 0) ^ (digest[at] ?? 0);
    }
  }

  /** A copy of all 64 digests, 16 bytes each. */
  buckets(): Uint8Array {
    return this.#bytes.slice();
  }

  /** The digest of the whole kind. */
  total(): Uint8Array {
    const total = new Uint8Array(DIGEST_BYTES);
    for (let at = 0; at < BUCKET_DIGEST_BYTES; at++) {
      const place = at % DIGEST_BYTES;
      total[place] = (total[place] ?? 0) ^ (this.#bytes[at] ?? 0);
    }
    return total;
  }
}

/** First 16 bytes of SHA-256 over `namespace/name`, a NUL and the hash's hexadecimal digits. */
function entryDigest(id: string, contentHash: string): Uint8Array {
  return hash('sha256', `${id}\0${contentHash}`, 'buffer').subarray(0, DIGEST_BYTES);
}

/** Computes the digests of a set of entries in any order. */
export function digestOf(entries: Iterable<Entry>): BucketDigests {
  const digests = new BucketDigests();
  for (const entry of entries) digests.toggle(entryId(entry), entry.hash);
  return digests;
}

/**
 * The buckets in which two sets differ, as a bit mask: bit i for bucket i. Takes the
 * result of {@link BucketDigests.buckets}.
 */
export function diffDigests(local: Uint8Array, remote: Uint8Array): bigint {
  let mask = 0n;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const start = bucket * DIGEST_BYTES;
    const end = start + DIGEST_BYTES;
    if (Buffer.compare(local.subarray(start, end), remote.subarray(start, end)) !== 0) mask |= 1n << BigInt(bucket);
  }
  return mask;
}

export function sameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Whether the bucket of an id is in a mask. */
export function inBuckets(mask: bigint, id: string): boolean {
  return ((mask >> BigInt(bucketOf(id))) & 1n) === 1n;
}
