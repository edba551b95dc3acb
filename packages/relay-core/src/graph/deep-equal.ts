/** Equality of plain data: two values are equal if no reader or serializer can distinguish them. */
import { type AnyPacked, Packed } from '../packed/packed.ts';

/**
 * Compares plain data: primitives (NaN equals NaN, -0 differs from 0), arrays, byte arrays and plain objects. The order
 * of properties counts, because it shows in serialized output. `undefined` differs from a missing property. Packed
 * values are equal if their content and their `about` are. Anything else (class instances, maps, functions) equals only
 * itself, which costs a recomputation but is never wrong.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return a !== 0 || Object.is(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const prototype: unknown = Object.getPrototypeOf(a);
  if (prototype !== Object.getPrototypeOf(b)) return false;
  if (prototype === Object.prototype || prototype === null) return equalObjects(a, b);
  if (Array.isArray(a)) return equalArrays(a, b as unknown[]);
  if (a instanceof Uint8Array) return equalBytes(a, b as Uint8Array);
  if (a instanceof Packed) return equalPacked(a, b as AnyPacked);
  return false;
}

function equalPacked(a: AnyPacked, b: AnyPacked): boolean {
  if (!deepEqual(a.about, b.about)) return false;
  return a.page === undefined && b.page === undefined ? deepEqual(a.value, b.value) : a.sameText(b);
}

function equalObjects(a: object, b: object): boolean {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) {
    const name = keys[i] as keyof object;
    if (name !== others[i] || !deepEqual(a[name], b[name])) return false;
  }
  return true;
}

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false;
  return true;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
