/** Helpers for JSON values. */
import type { Json, JsonObject } from '../object.ts';

/** True for a JSON object: neither null nor a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A deep copy: JSON contains neither cycles nor class instances. */
export function copyJson<T extends Json | object>(value: T): T {
  if (Array.isArray(value)) return value.map((each) => copyJson(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) setMember(copy, key, copyJson(each as Json));
  return copy as T;
}

/** Sets a member even with the name `__proto__`, which a plain assignment would not create. */
export function setMember(object: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else (object as Record<string, unknown>)[key] = value;
}

/** Equality of JSON values; the order of object members does not matter, absent and undefined are the same. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => equalJson(each, b[index]));
  const left = Object.entries(a).filter(([, value]) => value !== undefined);
  const right = Object.entries(b).filter(([, value]) => value !== undefined);
  if (left.length !== right.length) return false;
  const other = b as Record<string, unknown>;
  return left.every(([key, value]) => Object.hasOwn(other, key) && equalJson(value, other[key]));
}

/** The JSON Schema type of a value. Whole numbers are `integer`, as JSON does not distinguish 1.0 from 1. */
export function jsonType(value: Json): 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}
