/** Single fields of objects: paths of leaves, and objects without one. */
import type { KubeObject } from '@meshrelay/api';

/** A path into an object: names of fields, and list indexes. */
export type Path = ReadonlyArray<string | number>;

/** The leaves below a field of an object: values, and empty objects. An empty list equals a missing one in protobuf. */
export function leavesOf(object: KubeObject, field: string): Path[] {
  const all = leaves((object as unknown as Readonly<Record<string, unknown>>)[field], [field]);
  return all.filter(({ length }) => length > 1);
}

function leaves(value: unknown, path: Path): Path[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [path];
  if (Array.isArray(value)) return value.flatMap((one, position) => leaves(one, [...path, position]));
  const inner = Object.entries(value).flatMap(([name, one]) => leaves(one, [...path, name]));
  return inner.length === 0 ? [path] : inner;
}

/** The path without list indexes, such as `spec.http[].timeout`. */
export function fieldOf(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
    .join('')
    .slice(1);
}

/** The value at the path; undefined if the path does not exist. */
export function valueAt(object: KubeObject, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) => (value as Readonly<Record<string | number, unknown>> | undefined)?.[step],
    object,
  );
}

/** The object with another value at the path, of the same type. */
export function altered(object: KubeObject, path: Path): KubeObject {
  return changed(object, path) as KubeObject;
}

function changed(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return anotherThan(value);
  if (Array.isArray(value)) return value.map((one: unknown, at) => (at === step ? changed(one, rest) : one));
  return { ...(value as object), [step]: changed((value as Record<string, unknown>)[step], rest) };
}

function anotherThan(value: unknown): unknown {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : value;
}

/** The object without the value at the path, and without the objects and lists that become empty. */
export function without(object: KubeObject, path: Path): KubeObject {
  return (removed(object, path) ?? {}) as KubeObject;
}

/** Undefined if nothing is left. */
function removed(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return undefined;
  if (Array.isArray(value)) {
    const left = value.flatMap((one: unknown, at) => (at === step ? (removed(one, rest) ?? []) : [one]));
    return left.length === 0 ? undefined : left;
  }
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  const left = removed(inner, rest);
  if (left === undefined) return Object.keys(others).length === 0 ? undefined : others;
  return { ...(value as object), [step]: left };
}
