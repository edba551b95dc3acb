/** Hashes of objects: SHA-256 cut to 128 bits. Hexadecimal text in logs and Maps, bytes on the wire. */
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';

/** Length of a hash on the wire. */
export const HASH_BYTES = 16;

/** The hash of an object's canonical bytes: 32 lower-case hexadecimal digits. */
export function hashOf(body: Uint8Array): string {
  return hash('sha256', body, 'hex').slice(0, 2 * HASH_BYTES);
}

/** A hash as its 16 bytes. */
export function hashToBytes(text: string): Uint8Array {
  return Buffer.from(text, 'hex');
}

/** 16 bytes as a hash. */
export function hashFromBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
