/** Poison: one field of an object at a time made null or something of another type. */
import type { KubeObject } from '@meshrelay/api';

/** A field, by the steps to it. */
export type FieldPath = ReadonlyArray<string | number>;

/** One way to spoil an object. */
export interface Dose {
  readonly path: FieldPath;
  readonly value: unknown;
}

/** An object that was spoilt. */
export interface Spoilt {
  readonly object: KubeObject;
  /** What was done to it, for readers. */
  readonly what: string;
  /** Whether it may be a proper object that says something else: what depended on it without showing may change then. */
  readonly mayMakeSense: boolean;
}

/** What stands where something else should. */
const VALUES: readonly unknown[] = [
  null,
  true,
  -0.5,
  'poison',
  [],
  [null],
  ['poison'],
  {},
  { poison: { poison: [null] } },
];

/** Names an object among others; a string here would only make another object of it. */
export const IDENTITY: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace']);

/** Every dose for an object: each of its fields as null, and with a value of each type that it has not. */
export function doses(object: KubeObject): Dose[] {
  return fieldsOf(object).flatMap(({ path, value }) =>
    VALUES.filter((one) => isOther(one, value) && !(IDENTITY.has(path.join('.')) && typeof one === 'string')).map(
      (one): Dose => ({ path, value: one }),
    ),
  );
}

/** A copy of the object with one field spoilt. */
export function poisoned(object: KubeObject, { path, value }: Dose): KubeObject {
  const copy = structuredClone(object) as unknown as Record<string | number, unknown>;
  let holder = copy;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  const [last] = path.slice(-1);
  if (last !== undefined) holder[last] = structuredClone(value);
  return copy as unknown as KubeObject;
}

/** A field of an object. */
export interface Field {
  readonly path: FieldPath;
  readonly value: unknown;
}

/** Every field of a value, those inside of others too. */
export function fieldsOf(holder: unknown, path: FieldPath = []): Field[] {
  if (typeof holder !== 'object' || holder === null) return [];
  const entries: ReadonlyArray<readonly [string | number, unknown]> = Array.isArray(holder)
    ? holder.map((value, index) => [index, value] as const)
    : Object.entries(holder);
  return entries.flatMap(([step, value]) => [{ path: [...path, step], value }, ...fieldsOf(value, [...path, step])]);
}

/** Whether the one is of another JSON type than the other. */
export function isOther(one: unknown, value: unknown): boolean {
  return typeOf(one) !== typeOf(value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
