/** Names derived from their input: the same input gives the same suffix in every run. */
import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Json } from '../object.ts';
import { members } from '../patch/json-members.ts';
import { isObject } from '../schema/json-values.ts';

/** Characters of Kubernetes' generated names: no vowels and no look-alikes, so that no words arise. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A suffix of this many characters for an object's name. */
export function nameSuffix(text: string, length = 5): string {
  return [...digest(text).subarray(0, length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** The hash of a value, independent of the order of its members, as a label value of ten characters. */
export function valueHash(value: Json): string {
  return nameSuffix(JSON.stringify(sorted(value)), 10);
}

/** A whole number from 0 up to `size` (exclusive, at most 2^48). */
export function hashIndex(text: string, size: number): number {
  return digest(text).readUIntBE(0, 6) % size;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = members(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
